package io.onceflow.quarkus.runtime;

import io.quarkus.flyway.runtime.QuarkusFlywayResourceProvider;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.Location;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.api.resource.LoadableResource;
import org.flywaydb.core.internal.resource.classpath.ClassPathResource;

/**
 * Migrates the product's tables before the application's migrations run. Where a separate job runs
 * them, the application's validation at start includes the product's.
 */
final class MigrateProductFirst implements Callback {

  /** The history of the product's migrations, apart from the application's. */
  static final String HISTORY = "onceflow_schema_history";

  private final List<String> migrations;
  private final boolean isMigratedElsewhere;

  /**
   * @param isMigratedElsewhere so that pending migrations are an error at start
   */
  MigrateProductFirst(List<String> migrations, boolean isMigratedElsewhere) {
    this.migrations = migrations;
    this.isMigratedElsewhere = isMigratedElsewhere;
  }

  @Override
  public boolean supports(Event event, Context context) {
    return event == Event.BEFORE_MIGRATE || isMigratedElsewhere && event == Event.BEFORE_VALIDATE;
  }

  @Override
  public boolean canHandleInTransaction(Event event, Context context) {
    return true;
  }

  @Override
  public void handle(Event event, Context context) {
    Flyway product = product(context.getConfiguration());
    if (event == Event.BEFORE_MIGRATE) {
      product.migrate();
    } else {
      refusePending(product.info().pending());
    }
  }

  private static void refusePending(MigrationInfo[] pending) {
    if (pending.length > 0) {
      throw new FlywayException(
          "%s migrations of Onceflow have not been run in this database, such as %s. Run them first: with quarkus.init-and-exit=true, as the tables' owner, and without quarkus.flyway.migrate-at-start=false (docs/operations/kubernetes.md#migrations)"
              .formatted(pending.length, pending[0].getScript()));
    }
  }

  private Flyway product(Configuration application) {
    DataSource database = application.getDataSource();
    return Flyway.configure(Thread.currentThread().getContextClassLoader())
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
        .load();
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
