package io.onceflow.quarkus.runtime;

import io.quarkus.flyway.FlywayConfigurationCustomizer;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.stream.Stream;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Has the product's migrations run before the application's, by the same database user and at the
 * same time: at start, or where a separate job runs the migrations.
 */
@Singleton
class ProductMigrations implements FlywayConfigurationCustomizer {

  private final OnceflowModel model;

  ProductMigrations(OnceflowModel model) {
    this.model = model;
  }

  @Override
  public void customize(FluentConfiguration application) {
    Callback[] callbacks =
        Stream.concat(
                Arrays.stream(application.getCallbacks()),
                Stream.of(new MigrateProductFirst(model.migrations())))
            .toArray(Callback[]::new);
    application.callbacks(callbacks);
  }
}
