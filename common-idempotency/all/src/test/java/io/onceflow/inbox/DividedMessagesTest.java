package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.idempotency.testing.Midnight;
import io.onceflow.inbox.InboxUnderTest.Tx;
import io.onceflow.inbox.internal.EndedSteps;
import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.InboxTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A step that comes just before and just after midnight is taken on once, however the two overlap;
 * and each part of the trigger is needed for that.
 */
@Timeout(60)
class DividedMessagesTest {

  private static final Midnight MIDNIGHT =
      Midnight.in("by_day_for_worse", EndedSteps.table(Duration.ofDays(30)));
  private static final Fingerprint PRINT = Fingerprint.of(new byte[0]);

  private static final String LOCK =
      "PERFORM pg_advisory_xact_lock(hashtextextended('inbox:' || NEW.step_key, hashtext(NEW.scope)));";

  private final InboxRow row =
      InboxRow.started(new InboxRow.Id("user-" + UUID.randomUUID(), "key:pay"), PRINT, "{}");

  private static final String REAL =
      String.valueOf(
          MIDNIGHT
              .database()
              .text("SELECT pg_get_functiondef(to_regproc('inbox_message_once')::oid)"));

  @AfterEach
  void mend() {
    MIDNIGHT.database().update(REAL);
    MIDNIGHT.database().update("ALTER TABLE inbox_message ENABLE TRIGGER inbox_message_once");
  }

  @Test
  void isKnownTheDayAfter() throws Exception {
    assertThat(insertBefore()).hasSize(1);
    assertThat(insertAfter()).isEmpty();
  }

  @Test
  void isNotKnownTheDayAfterWithoutTheTrigger() throws Exception {
    MIDNIGHT.database().update("ALTER TABLE inbox_message DISABLE TRIGGER inbox_message_once");
    assertThat(insertBefore()).hasSize(1);
    assertThat(insertAfter()).as("taken on again").hasSize(1);
  }

  /** The real one; the broken ones below are this one's copies but for what is broken. */
  @Test
  void waitsForTheDayBefore() throws Exception {
    assertThat(takenOnAfterOneThatIsNotCommittedYet()).isEmpty();
  }

  @Test
  void waitsForTheDayBeforeWithTheTriggerWrittenHere() throws Exception {
    trigger("VOLATILE", LOCK);
    assertThat(takenOnAfterOneThatIsNotCommittedYet()).isEmpty();
  }

  /** A stable function sees what the INSERT saw when it began: before it waited. */
  @Test
  void isTakenOnTwiceByATriggerThatLooksWithTheSnapshotOfTheInsert() throws Exception {
    trigger("STABLE", LOCK);
    assertThat(takenOnAfterOneThatIsNotCommittedYet()).as("taken on again").hasSize(1);
  }

  @Test
  void isTakenOnTwiceByATriggerThatDoesNotLock() throws Exception {
    trigger("VOLATILE", "");
    try (Tx before = PartitionedInboxTest.begin(MIDNIGHT.before())) {
      before.insert(Map.of(row, Duration.ofHours(1)));
      assertThat(insertAfter()).as("taken on again").hasSize(1);
      before.commit();
    }
    assertThat(rows()).isEqualTo(2);
  }

  @Test
  void isTakenOnTheDayAfterWhenTheDayBeforeIsRolledBack() throws Exception {
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<Set<InboxRow.Id>> after;
      try (Tx before = PartitionedInboxTest.begin(MIDNIGHT.before())) {
        before.insert(Map.of(row, Duration.ofHours(1)));
        after = thread.submit(this::insertAfter);
        awaitSomebodyWaiting();
      }
      assertThat(after.get()).hasSize(1);
    }
  }

  /** There, a statement does not see what was committed since its transaction began. */
  @ParameterizedTest
  @ValueSource(strings = {"REPEATABLE READ", "SERIALIZABLE"})
  void isNotTakenOnWhereThatWouldNotBeSafe(String isolation) throws Exception {
    try (Connection connection = MIDNIGHT.after().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("BEGIN ISOLATION LEVEL " + isolation);
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(
              () ->
                  new InboxTable(MIDNIGHT.after())
                      .insert(connection, Map.of(row, Duration.ofHours(1))))
          .withMessageContaining("READ COMMITTED");
      statement.execute("ROLLBACK");
    }
  }

  private Set<InboxRow.Id> takenOnAfterOneThatIsNotCommittedYet() throws Exception {
    try (ExecutorService thread = Executors.newSingleThreadExecutor();
        Tx before = PartitionedInboxTest.begin(MIDNIGHT.before())) {
      assertThat(before.insert(Map.of(row, Duration.ofHours(1)))).hasSize(1);
      Future<Set<InboxRow.Id>> after = thread.submit(this::insertAfter);
      awaitSomebodyWaiting();
      before.commit();
      return after.get();
    }
  }

  private static void awaitSomebodyWaiting() {
    await()
        .until(
            () ->
                MIDNIGHT
                        .database()
                        .number(
                            "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory'")
                    == 1);
  }

  private Set<InboxRow.Id> insertBefore() throws Exception {
    return insert(PartitionedInboxTest.begin(MIDNIGHT.before()));
  }

  private Set<InboxRow.Id> insertAfter() throws Exception {
    return insert(PartitionedInboxTest.begin(MIDNIGHT.after()));
  }

  private Set<InboxRow.Id> insert(Tx side) throws Exception {
    try (Tx tx = side) {
      Set<InboxRow.Id> inserted = tx.insert(Map.of(row, Duration.ofHours(1)));
      tx.commit();
      return inserted;
    }
  }

  private long rows() {
    return MIDNIGHT
        .database()
        .number("SELECT count(*) FROM inbox_message WHERE scope = ?", row.scope());
  }

  /** Puts a trigger in the place of the real one. */
  private static void trigger(String volatility, String lock) {
    MIDNIGHT
        .database()
        .update(
            """
            CREATE OR REPLACE FUNCTION inbox_message_once() RETURNS trigger LANGUAGE plpgsql %s AS $$
            BEGIN
              %s
              PERFORM FROM inbox_message WHERE scope = NEW.scope AND step_key = NEW.step_key;
              IF FOUND THEN
                RETURN NULL;
              END IF;
              RETURN NEW;
            END
            $$
            """
                .formatted(volatility, lock));
  }
}
