package io.onceflow.inbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Results are written beside their intents, and no index gets an entry for them (HOT). With an
 * index that names a column of the result, such as completed_at, none is.
 */
@Timeout(60)
class HotResultTest {

  private static final TestDatabase DATABASE = TestDatabase.inSchema("hot_result");
  private static final int BATCH = 50;
  private static final String REPLY =
      """
      {"type":"PaymentProcessed","payload":{"orderId":"%s","reference":"%s"},"result":"done"}
      """
          .strip()
          .formatted(UUID.randomUUID(), UUID.randomUUID());

  private final InboxTable inbox = new InboxTable(DATABASE.source());

  private record Updates(long all, long hot) {}

  /** Calls are under way for several batches at once. */
  @Test
  void changesNoIndex() throws SQLException {
    List<List<InboxRow>> underWay = new ArrayList<>();
    long all = 0;
    long hot = 0;
    for (int batch = 0; batch < 60; batch++) {
      underWay.add(begin());
      if (underWay.size() > 3) {
        Updates updates = complete(underWay.removeFirst());
        all += updates.all();
        hot += updates.hot();
      }
    }
    assertThat(all).isEqualTo(57L * BATCH);
    assertThat(hot).isEqualTo(all);
  }

  private List<InboxRow> begin() throws SQLException {
    List<InboxRow> intents =
        IntStream.range(0, BATCH)
            .mapToObj(
                n ->
                    InboxRow.started(
                        new InboxRow.Id(
                            "customer-" + n,
                            UUID.randomUUID() + ":process-payment@order-service/checkout"),
                        Fingerprint.of(new byte[] {(byte) n}),
                        null))
            .toList();
    try (Connection tx = DATABASE.begin()) {
      assertThat(inbox.insert(tx, intents, Duration.ofSeconds(20))).hasSize(BATCH);
      tx.commit();
    }
    return intents;
  }

  private Updates complete(List<InboxRow> intents) throws SQLException {
    Map<InboxRow, String> outcomes =
        intents.stream().collect(Collectors.toMap(Function.identity(), row -> REPLY));
    try (Connection tx = DATABASE.begin()) {
      Updates before = updates(tx);
      assertThat(inbox.complete(tx, outcomes)).hasSize(BATCH);
      Updates after = updates(tx);
      tx.commit();
      return new Updates(after.all() - before.all(), after.hot() - before.hot());
    }
  }

  /** Of this connection, since PostgreSQL last collected its counts. */
  private static Updates updates(Connection tx) throws SQLException {
    return Sql.query(
            tx,
            """
            SELECT pg_stat_get_xact_tuples_updated('inbox_message'::regclass) AS updated,
                   pg_stat_get_xact_tuples_hot_updated('inbox_message'::regclass) AS hot
            """,
            row -> new Updates(row.bigint("updated"), row.bigint("hot")))
        .getFirst();
  }
}
