package io.onceflow.outbox.internal.cdc;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.AgroalConnectionFactoryConfiguration;
import io.agroal.api.security.AgroalSecurityProvider;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Logs in to read the log: as the data source does, on a connection of its own outside the pool.
 *
 * @param url of JDBC
 */
record ReplicationLogin(String url, Properties properties) {

  private static final Driver DRIVER = new Driver();
  private static final int WITHIN_SECONDS = 5;

  /**
   * @param direct another address of the same database, for services that reach it through a pooler
   */
  static ReplicationLogin of(DataSource database, Optional<String> direct) {
    if (!(database instanceof AgroalDataSource pool)) {
      throw new CdcRefused(
          "the data source is not Quarkus' own, so its address is not known",
          "Use the default data source");
    }
    AgroalConnectionFactoryConfiguration factory =
        pool.getConfiguration().connectionPoolConfiguration().connectionFactoryConfiguration();
    Properties properties = new Properties();
    properties.putAll(factory.jdbcProperties());
    properties.putAll(credentials(factory));
    PGProperty.REPLICATION.set(properties, "database");
    PGProperty.ASSUME_MIN_SERVER_VERSION.set(properties, "14");
    PGProperty.PREFER_QUERY_MODE.set(properties, "simple");
    PGProperty.CONNECT_TIMEOUT.set(properties, WITHIN_SECONDS);
    PGProperty.LOGIN_TIMEOUT.set(properties, WITHIN_SECONDS);
    return new ReplicationLogin(direct.orElse(factory.jdbcUrl()), properties);
  }

  private static Properties credentials(AgroalConnectionFactoryConfiguration factory) {
    List<Object> all = new ArrayList<>(factory.credentials());
    if (factory.principal() != null) {
      all.addFirst(factory.principal());
    }
    Properties found = new Properties();
    for (Object credential : all) {
      for (AgroalSecurityProvider provider : factory.securityProviders()) {
        Properties known = provider.getSecurityProperties(credential);
        if (known != null) {
          found.putAll(known);
          break;
        }
      }
    }
    return found;
  }

  Connection connect() throws SQLException {
    Connection connection = DRIVER.connect(url, properties);
    if (connection == null) {
      throw new SQLException("this is no address of PostgreSQL");
    }
    return connection;
  }

  /** Never with the password. */
  @Override
  public String toString() {
    return "ReplicationLogin";
  }
}
