package io.onceflow.test;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.exceptionsorter.PostgreSQLExceptionSorter;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.onceflow.launcher.testing.TestServers;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Databases for tests without an application, on the PostgreSQL that all tests of a JVM share: in a
 * container where a Docker engine answers, else from embedded binaries.
 *
 * <pre>{@code
 * static final DataSource DATABASE = TestPostgres.database("flight_races", "db/migration");
 * }</pre>
 */
public final class TestPostgres {

  private static final int CONNECTIONS = 40;

  private static final Pattern NAME = Pattern.compile("[a-z0-9_]+");

  private static final String[] PRODUCT = {
    "classpath:db/onceflow/idempotency",
    "classpath:db/onceflow/inbox",
    "classpath:db/onceflow/outbox",
    "classpath:db/onceflow/saga"
  };

  private static final Map<String, DataSource> DATABASES = new ConcurrentHashMap<>();

  private TestPostgres() {}

  /**
   * Returns a pool of connections to a database that no application uses. It is created at the
   * first call, with the tables of Onceflow and those of the application.
   *
   * @param name of small letters, digits and underscores
   * @param migrations folders of the application's migrations on the class path
   * @throws IllegalArgumentException where the name has other characters
   */
  public static DataSource database(String name, String... migrations) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'%s' cannot be the name of a test database; use small letters, digits and underscores"
              .formatted(name));
    }
    return DATABASES.computeIfAbsent(name, it -> create(it, migrations));
  }

  private static DataSource create(String name, String... migrations) {
    TestServers servers = TestServers.shared();
    servers.createDatabase(name);
    DataSource database = pool(servers, name);
    migration(database).table("onceflow_schema_history").locations(PRODUCT).load().migrate();
    if (migrations.length > 0) {
      migration(database).locations(migrations).load().migrate();
    }
    return database;
  }

  /** Histories apart, as in an application: versions of the two may be the same. */
  private static FluentConfiguration migration(DataSource database) {
    return Flyway.configure()
        .dataSource(database)
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .outOfOrder(true);
  }

  private static DataSource pool(TestServers servers, String name) {
    AgroalDataSourceConfigurationSupplier configuration =
        new AgroalDataSourceConfigurationSupplier()
            .connectionPoolConfiguration(
                pool ->
                    pool.maxSize(CONNECTIONS)
                        .exceptionSorter(new PostgreSQLExceptionSorter())
                        .connectionFactoryConfiguration(
                            connection ->
                                connection
                                    .jdbcUrl(servers.jdbcUrl(name))
                                    .principal(new NamePrincipal(servers.user(name)))
                                    .credential(new SimplePassword(servers.password()))));
    try {
      return AgroalDataSource.from(configuration);
    } catch (SQLException e) {
      throw new IllegalStateException("no connections to the database " + name, e);
    }
  }
}
