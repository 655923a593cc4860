package io.onceflow.shipping;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.internal.retention.CollectedTable;
import io.onceflow.quickstart.testing.ServersResource;
import io.onceflow.sql.Sql;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Shipments are kept for a year here. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "shipping"))
class ExpiredShipmentsTest {

  private static final CollectedTable TABLE =
      new ExpiredShipments(() -> Duration.ofDays(365)).expiring().orElseThrow();

  @Inject DataSource database;

  @Test
  void areThoseOfMoreThanAYearAgo() throws SQLException {
    try (Connection connection = database.getConnection()) {
      insert(connection, "an-old-one", "366 days");
      insert(connection, "a-young-one", "364 days");

      assertThat(Sql.update(connection, TABLE.delete(), TABLE.kept().toMillis(), 10)).isEqualTo(1);

      assertThat(scopes(connection)).containsExactly("a-young-one");
    }
  }

  @Test
  void areNoneByDefault() {
    assertThat(new ExpiredShipments(() -> Duration.ZERO).expiring()).isEmpty();
  }

  private static void insert(Connection connection, String scope, String ago) throws SQLException {
    String insert =
        """
        INSERT INTO shipment
               (id, order_id, scope, step_key, status, tracking_number, arranged_at)
        VALUES ((lpad(to_hex((extract(epoch FROM now() - ?::interval) * 1000)::bigint), 12, '0')
                 || '7' || substr(md5(?), 14))::uuid,
                gen_random_uuid(), ?, 'key', 'ARRANGED', 'SIM-1', now() - ?::interval)
        """;
    Sql.update(connection, insert, ago, scope, scope, ago);
  }

  private static List<String> scopes(Connection connection) throws SQLException {
    return Sql.query(
        connection,
        "SELECT scope FROM shipment WHERE scope IN ('an-old-one', 'a-young-one')",
        row -> row.text("scope"));
  }
}
