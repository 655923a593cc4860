package io.onceflow.order.messaging;

import io.onceflow.launcher.testing.TestServers;
import io.onceflow.sql.Sql;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The database that the last release left, or an empty one. To be named after {@link
 * io.onceflow.launcher.testing.ServersResource}.
 */
public final class ReleasedDatabase implements QuarkusTestResourceLifecycleManager {

  private boolean isEmpty;

  @Override
  public void init(Map<String, String> arguments) {
    isEmpty = Boolean.parseBoolean(arguments.get("empty"));
  }

  @Override
  public Map<String, String> start() {
    TestServers servers = TestServers.shared();
    String schema = "released_" + UUID.randomUUID().toString().substring(0, 8);
    String url = servers.jdbcUrl("orders");
    String released = url + (url.contains("?") ? "&" : "?") + "currentSchema=" + schema;
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(released);
    database.setUser(servers.user("orders"));
    database.setPassword(servers.password());
    try {
      if (isEmpty) {
        try (Connection connection = database.getConnection()) {
          Sql.update(connection, "CREATE SCHEMA " + schema);
        }
      } else {
        ReleaseRecord.last().restore(database, schema);
      }
    } catch (IOException | SQLException e) {
      throw new IllegalStateException("the database of the last release was not restored", e);
    }
    return Map.of("quarkus.datasource.jdbc.url", released);
  }

  @Override
  public int order() {
    return 1;
  }

  @Override
  public void stop() {}
}
