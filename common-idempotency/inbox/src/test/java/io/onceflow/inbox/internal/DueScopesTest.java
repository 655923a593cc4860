package io.onceflow.inbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order in which scopes with due steps have their turns, a few at a time. */
@Timeout(60)
class DueScopesTest {

  private static final TestDatabase DATABASE = TestDatabase.inSchema("due_scopes");

  private final AtomicLong timesSetBack = new AtomicLong();
  private final InboxTable inbox = new InboxTable(DATABASE.source(), timesSetBack::get);

  /** Up to a thousand steps, and more, are found by different statements. */
  @ParameterizedTest
  @ValueSource(ints = {2, 300})
  void eachHasOneTurnFromTheLastToTheFirst(int stepsEach) throws SQLException {
    DATABASE.update("TRUNCATE inbox_message");
    DATABASE.update(
        """
        INSERT INTO inbox_message
               (scope, step_key, fingerprint, status, lease_expires_at, envelope)
        SELECT scope, n || ':charge', '', 'STARTED', now() - interval '1 second', '{"type":"Charge"}'
        FROM   unnest(ARRAY['a', 'b', 'c', 'd', 'e']) AS scope,
               generate_series(1, ?) AS n
        """,
        stepsEach);

    assertThat(turns()).containsExactly(Set.of("d", "e"), Set.of("b", "c"), Set.of("a"), Set.of());
  }

  /** PostgreSQL's clock was an hour ahead when they were taken up, and has been set back. */
  @Test
  void aLeaseFromAClockThatWasAheadIsOver() throws SQLException {
    DATABASE.update("TRUNCATE inbox_message");
    DATABASE.update(
        """
        INSERT INTO inbox_message
               (scope, step_key, fingerprint, status, received_at, taken_up_at, postponed_at,
                lease_expires_at, envelope)
        SELECT scope, '1:charge', '', 'STARTED', received, taken, postponed,
               now() + interval '61 min', '{"type":"Charge"}'
        FROM   (VALUES ('first', now() + interval '1 h', NULL, NULL),
                       ('again', now() - interval '1 h', now() + interval '1 h', NULL),
                       ('postponed', now() - interval '1 h', now() - interval '4 s', now() + interval '1 h'),
                       ('resting', now() - interval '1 h', now() - interval '4 s', now() - interval '1 s'))
               AS step (scope, received, taken, postponed)
        """);
    List<String> taken = new ArrayList<>();
    // The lease of those that are over ends with the look that has found them.
    for (int look = 0; look < 2; look++) {
      try (Connection tx = DATABASE.source().getConnection()) {
        tx.setAutoCommit(false);
        inbox.startedTypes(tx);
        inbox
            .takeOver(tx, new DueSteps("Charge", null, List.of(), 9, 9), Duration.ofSeconds(30))
            .forEach(row -> taken.add(row.scope()));
        tx.commit();
      }
    }
    assertThat(taken).containsExactlyInAnyOrder("first", "again", "postponed");
  }

  /** Taken up before PostgreSQL's clock was set an hour ahead, and postponed after that. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPauseFromAClockThatWasAheadIsOver(boolean isPending) throws SQLException {
    DATABASE.update("TRUNCATE inbox_message");
    DATABASE.update(
        """
        INSERT INTO inbox_message (scope, step_key, fingerprint, status, lease_expires_at, envelope)
        VALUES ('ada', '1:charge', '', 'STARTED', now() - interval '1 s', '{"type":"Charge"}')
        """);
    try (Connection tx = DATABASE.source().getConnection()) {
      inbox.startedTypes(tx);
      Map<InboxRow, Duration> pause = Map.of(takeOver(tx).getFirst(), Duration.ofSeconds(4));
      assertThat(isPending ? inbox.rest(tx, pause) : inbox.postpone(tx, pause)).hasSize(1);
    }
    DATABASE.update(
        """
        UPDATE inbox_message
        SET    lease_expires_at = lease_expires_at + interval '1 h',
               postponed_at     = postponed_at + interval '1 h'
        """);
    timesSetBack.incrementAndGet();
    try (Connection tx = DATABASE.source().getConnection()) {
      inbox.startedTypes(tx);
      assertThat(takeOver(tx)).hasSize(1);
    }
  }

  private List<InboxRow> takeOver(Connection tx) throws SQLException {
    return inbox.takeOver(
        tx, new DueSteps("Charge", null, List.of(), 9, 9), Duration.ofSeconds(30));
  }

  private List<Set<String>> turns() throws SQLException {
    List<Set<String>> turns = new ArrayList<>();
    String before = null;
    do {
      TreeSet<String> turn = turn(before);
      turns.add(turn);
      before = turn.isEmpty() ? null : turn.first();
    } while (before != null);
    return turns;
  }

  private TreeSet<String> turn(@Nullable String before) throws SQLException {
    try (Connection tx = DATABASE.source().getConnection()) {
      tx.setAutoCommit(false);
      assertThat(inbox.startedTypes(tx)).containsExactly("Charge");
      DueSteps due = new DueSteps("Charge", before, List.of(), 2, 1);
      List<InboxRow> taken = inbox.takeOver(tx, due, Duration.ofHours(1));
      tx.commit();
      return taken.stream().map(InboxRow::scope).collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
