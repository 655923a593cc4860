package io.onceflow.outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.idempotency.testing.PreparedPlans;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Statements of a relay, in PostgreSQL. */
@Timeout(60)
class OutboxTableTest {

  private static final TestDatabase DATABASE = TestDatabase.apartInSchema("kept_relay_plans");
  private static final int MANY = 5_000;
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final OutboxTable table = new OutboxTable(new ObjectMapper());

  /**
   * Made while the table is empty, and of use when it is not: planning anew took twice as long as
   * looking, and a plan that reads the whole table would take longer with each message.
   */
  @Test
  void aPlanIsMadeOnceForOlderMessagesAndReadsNoOthers() throws Exception {
    DATABASE.update("DELETE FROM outbox_message");
    DATABASE.update("VACUUM ANALYZE outbox_message"); // so that PostgreSQL knows that it is empty
    OutboxMessage older = message("7");
    OutboxMessage newest = message("7");
    try (Connection connection = DATABASE.source().getConnection()) {
      connection.setAutoCommit(false);
      table.expectChange(connection);
      PreparedPlans.assertKept(
          connection, "newest (aggregatetype", () -> table.older(connection, List.of(newest)));
      table.insert(connection, Stream.generate(() -> message(null)).limit(MANY).toList(), GRACE);
      table.insert(connection, List.of(older, newest), GRACE);
      long before = scans(connection);
      assertThat(table.older(connection, List.of(newest)))
          .extracting(AggregateOrdering.Older::id)
          .containsExactly(older.id());
      assertThat(scans(connection)).as("scans of the whole table").isEqualTo(before);
      connection.rollback();
    }
  }

  /** Before: what was published with it was neither deleted nor put off, and published again. */
  @Test
  void aRowWhoseAttemptsAreAtTheEndOfTheirTypeIsPutOff() throws Exception {
    OutboxMessage worn = message("13");
    try (Connection connection = DATABASE.source().getConnection()) {
      connection.setAutoCommit(false);
      table.insert(connection, List.of(worn), Duration.ZERO);
      Sql.update(
          connection, "UPDATE outbox_message SET attempts = 2147483647 WHERE id = ?", worn.id());

      table.defer(connection, List.of(worn.id()), 500, 30_000);

      assertThat(
              Sql.query(
                  connection,
                  "SELECT next_attempt_at > clock_timestamp() AS is_put_off FROM outbox_message WHERE id = ?",
                  row -> row.truth("is_put_off"),
                  worn.id()))
          .containsExactly(true);
      connection.rollback();
    }
  }

  /** PostgreSQL's clock was an hour ahead when they were written, and has been set back. */
  @Test
  void whatWasPutOffOrLeasedByAClockThatWasAheadIsClaimed() throws Exception {
    OutboxMessage putOff = message("9");
    OutboxMessage leased = message("10");
    OutboxMessage inHand = message("11");
    OutboxMessage rests = message("12");
    try (Connection connection = DATABASE.source().getConnection()) {
      connection.setAutoCommit(false);
      Sql.update(connection, "DELETE FROM outbox_message");
      table.insert(connection, List.of(putOff), GRACE.plusHours(1));
      table.insert(connection, List.of(leased, inHand), Duration.ZERO);
      table.insert(connection, List.of(rests), GRACE);
      table.lease(connection, UUID.randomUUID(), List.of(leased.id()), GRACE.plusHours(1));
      table.lease(connection, UUID.randomUUID(), List.of(inHand.id()), GRACE);
      Sql.update(
          connection,
          "UPDATE outbox_message SET next_attempt_at = now() - interval '1 s' WHERE id = ANY (?)",
          Column.uuids(List.of(leased.id(), inHand.id())));

      assertThat(table.claim(connection, 9, OutboxStore.START))
          .extracting(OutboxMessage::id)
          .containsExactly(putOff.id(), leased.id());
      connection.rollback();
    }
  }

  private static long scans(Connection connection) throws SQLException {
    return Sql.query(
            connection,
            "SELECT seq_scan FROM pg_stat_xact_user_tables WHERE relname = 'outbox_message'",
            row -> row.bigint("seq_scan"))
        .stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  private static OutboxMessage message(String aggregate) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "order",
        aggregate == null ? UUID.randomUUID().toString() : aggregate,
        "OrderConfirmed",
        "{}",
        OutboxMessage.EVENTS,
        "order.confirmed",
        "saga-1",
        null,
        Map.of());
  }
}
