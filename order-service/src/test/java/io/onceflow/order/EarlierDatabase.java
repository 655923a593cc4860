package io.onceflow.order;

import io.onceflow.quickstart.testing.TestServers;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;
import java.util.UUID;
import org.flywaydb.core.Flyway;

/**
 * A schema that was migrated when the product and this service had one history. To be named after
 * {@link io.onceflow.quickstart.testing.ServersResource}.
 */
public final class EarlierDatabase implements QuarkusTestResourceLifecycleManager {

  @Override
  public Map<String, String> start() {
    TestServers servers = TestServers.shared();
    String schema = "earlier_" + UUID.randomUUID().toString().substring(0, 8);
    String url = servers.jdbcUrl("orders");
    String earlier = url + (url.contains("?") ? "&" : "?") + "currentSchema=" + schema;
    Flyway.configure()
        .dataSource(earlier, servers.user("orders"), servers.password())
        .schemas(schema)
        .outOfOrder(true)
        .locations(
            "db/migration",
            "db/onceflow/idempotency",
            "db/onceflow/inbox",
            "db/onceflow/outbox",
            "db/onceflow/saga")
        .load()
        .migrate();
    return Map.of("quarkus.datasource.jdbc.url", earlier);
  }

  @Override
  public int order() {
    return 1;
  }

  @Override
  public void stop() {}
}
