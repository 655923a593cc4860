package io.onceflow.quarkus.runtime;

import io.quarkus.flyway.runtime.QuarkusFlywayResourceProvider;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.Location;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.api.resource.LoadableResource;
import org.flywaydb.core.internal.resource.classpath.ClassPathResource;

/** Migrates the product's tables before the application's migrations run. */
final class MigrateProductFirst implements Callback {

  /** The history of the product's migrations, apart from the application's. */
  static final String HISTORY = "onceflow_schema_history";

  private final List<String> migrations;

  MigrateProductFirst(List<String> migrations) {
    this.migrations = migrations;
  }

  @Override
  public boolean supports(Event event, Context context) {
    return event == Event.BEFORE_MIGRATE;
  }

  @Override
  public boolean canHandleInTransaction(Event event, Context context) {
    return true;
  }

  @Override
  public void handle(Event event, Context context) {
    Configuration application = context.getConfiguration();
    DataSource database = application.getDataSource();
    Flyway.configure(Thread.currentThread().getContextClassLoader())
        .dataSource(database)
        .table(HISTORY)
        .defaultSchema(application.getDefaultSchema())
        .schemas(application.getSchemas())
        .resourceProvider(new QuarkusFlywayResourceProvider(resources()))
        .javaMigrationClassProvider(List::of)
        // The tables of the application may be there already.
        .baselineOnMigrate(true)
        .baselineVersion("0")
        // Migrations of different tables: one that comes with an upgrade may have a lower number.
        .outOfOrder(true)
        .ignoreMigrationPatterns("*:missing", "*:future")
        .load()
        .migrate();
  }

  private Collection<LoadableResource> resources() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return migrations.stream().<LoadableResource>map(path -> resource(path, loader)).toList();
  }

  private static LoadableResource resource(String path, ClassLoader loader) {
    Location folder = Location.fromPath("classpath:", path.substring(0, path.lastIndexOf('/')));
    return new ClassPathResource(folder, path, loader, StandardCharsets.UTF_8);
  }

  @Override
  public String getCallbackName() {
    return "onceflow";
  }
}
