package io.onceflow.benchmarks.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.benchmarks.sql.DatabaseServer;
import io.onceflow.benchmarks.sql.EmbeddedDatabases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("nightly")
class StageTimesTest {

  @Test
  void asksForColumnsThatTheServicesTablesHave() throws Exception {
    UUID order = UUID.randomUUID();
    try (EmbeddedDatabases databases = new EmbeddedDatabases()) {
      databases.migrate();
      DatabaseServer server = databases.server();
      migrate(server, "orders", "order-service", "V001__create_orders.sql");
      migrate(server, "payments", "payment-service", "V002__create_simulated_gateway.sql");
      migrate(server, "shipping", "shipping-service", "V002__create_simulated_carrier.sql");
      try (Connection orders = server.connect("orders");
          Connection payments = server.connect("payments");
          Connection shipping = server.connect("shipping")) {
        StageTimeline timeline =
            new StageTimes(orders, payments, shipping, new UUID(0, 0)).read(Map.of(order, 1L));
        assertThat(timeline.sagas()).isEmpty();
        assertThat(timeline.unknown())
            .doesNotContainKey(Stage.POST)
            .hasSize(Stage.values().length - 1);
      }
    }
  }

  private static void migrate(DatabaseServer server, String database, String service, String file)
      throws Exception {
    Path migrations = Path.of("../..", service, "src/main/resources/db/migration");
    server.execute(database, Files.readString(migrations.resolve(file)));
  }
}
