package io.onceflow.quarkus.runtime;

import io.quarkus.flyway.FlywayConfigurationCustomizer;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Has the product's migrations run before the application's, by the same database user and at the
 * same time: at start, or where a separate job runs the migrations.
 */
@Singleton
class ProductMigrations implements FlywayConfigurationCustomizer {

  private final OnceflowModel model;
  private final boolean isMigratedElsewhere;

  ProductMigrations(
      OnceflowModel model,
      @ConfigProperty(name = "quarkus.flyway.migrate-at-start") boolean migrates,
      @ConfigProperty(name = "quarkus.flyway.validate-at-start", defaultValue = "false")
          boolean validates) {
    this.model = model;
    this.isMigratedElsewhere = validates && !migrates;
  }

  @Override
  public void customize(FluentConfiguration application) {
    Callback[] callbacks =
        Stream.concat(
                Arrays.stream(application.getCallbacks()),
                Stream.of(new MigrateProductFirst(model.migrations(), isMigratedElsewhere)))
            .toArray(Callback[]::new);
    application.callbacks(callbacks);
  }
}
