package io.onceflow.benchmarks.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.benchmarks.sql.DatabaseServer;
import io.onceflow.benchmarks.sql.EmbeddedDatabases;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("nightly")
class CostMeterTest {

  private static EmbeddedDatabases databases;
  private static DatabaseServer server;

  @BeforeAll
  static void startPostgres() throws Exception {
    databases = new EmbeddedDatabases();
    server = databases.server();
  }

  @AfterAll
  static void stopPostgres() {
    databases.close();
  }

  @Test
  void countsWhatTransactionsHaveWritten() throws Exception {
    server.execute(
        "orders",
        "CREATE TABLE parcel (id int PRIMARY KEY, place text, weight int)",
        "CREATE INDEX ON parcel (place)",
        "INSERT INTO parcel SELECT i, 'shelf', 0 FROM generate_series(1, 5) i");
    CostMeter meter = new CostMeter(server, Map.of(), List.of());
    Snapshot before = meter.start();

    server.execute(
        "orders",
        "INSERT INTO parcel SELECT i, 'shelf', 0 FROM generate_series(11, 15) i",
        "UPDATE parcel SET weight = 1 WHERE id <= 2",
        "UPDATE parcel SET place = 'van' WHERE id = 3",
        "DELETE FROM parcel WHERE id = 4",
        "SELECT * FROM parcel",
        // What PostgreSQL notes in its catalogs does not count.
        "ANALYZE parcel");
    SagaCost cost = meter.since(before, 1);

    assertThat(cost.wal())
        .containsEntry(WalCount.TRANSACTIONS, 4.0)
        .containsEntry(WalCount.INSERTED, 5.0)
        .containsEntry(WalCount.UPDATED, 3.0)
        .containsEntry(WalCount.UPDATED_IN_PLACE, 2.0)
        .containsEntry(WalCount.DELETED, 1.0)
        .containsEntry(WalCount.INDEX_ENTRIES, 5.0 * 2 + 2);
    assertThat(cost.walBytes()).isGreaterThan(cost.wal().get(WalCount.FULL_PAGE_BYTES));
    assertThat(cost.statements()).as("this server was not told to count them").isEmpty();
    assertThat(server.ask("postgres", "SELECT count(*) FROM pg_replication_slots")).isEqualTo("0");
  }

  @Test
  void countsTheEntriesThatSplitPagesToo() throws Exception {
    server.execute("payments", "CREATE TABLE charge (id uuid PRIMARY KEY)");
    CostMeter meter = new CostMeter(server, Map.of(), List.of());
    Snapshot before = meter.start();

    server.execute(
        "payments", "INSERT INTO charge SELECT gen_random_uuid() FROM generate_series(1, 10000)");

    assertThat(meter.since(before, 10_000).wal())
        .containsEntry(WalCount.INSERTED, 1.0)
        .containsEntry(WalCount.INDEX_ENTRIES, 1.0);
  }

  @Test
  void countsNothingWhereNothingWasWritten() throws Exception {
    server.execute("orders", "CHECKPOINT");
    CostMeter meter = new CostMeter(server, Map.of(), List.of());

    SagaCost cost = meter.idle(Duration.ofMillis(1));

    assertThat(cost.walBytes()).isZero();
    assertThat(cost.wal()).hasSize(WalCount.values().length);
    assertThat(cost.wal().values()).containsOnly(0.0);
  }
}
