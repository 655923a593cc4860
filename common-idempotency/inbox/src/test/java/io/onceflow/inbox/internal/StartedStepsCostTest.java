package io.onceflow.inbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.launcher.testing.TouchedBlocks;
import io.onceflow.participant.PendingSteps;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the looks for started steps, and changes of them, read where PostgreSQL expects to find
 * none, since none ran when it analyzed the table: any index of them is then as good as another to
 * its planner, also one of which everything has to be read. Seen red when a look could be made by
 * several of them.
 */
@Timeout(60)
class StartedStepsCostTest {

  private static final TestDatabase DATABASE = TestDatabase.inSchema("started_steps_cost");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final int SCOPES = 50;

  private final TouchedBlocks blocks = new TouchedBlocks(DATABASE.source(), "inbox_message");
  private Connection snapshot;

  /** By this clock everything takes a second, so a scan from the start is not repeated soon. */
  private long now;

  private final StartedSteps started =
      new StartedSteps(DATABASE.source(), () -> 0, () -> now += Duration.ofSeconds(1).toNanos());

  /** What ends from now on stays in the indexes as long as the snapshot is held. */
  @BeforeEach
  void analyzeAndHoldASnapshot() throws SQLException {
    DATABASE.update("TRUNCATE inbox_message");
    DATABASE.update(
        """
        INSERT INTO inbox_message (scope, step_key, fingerprint, status, completed_at, outcome)
        SELECT 'scope-' || n %% %d, n || ':charge', '', 'COMPLETED', now(), '{}'
        FROM   generate_series(1, 20000) AS n
        """
            .formatted(SCOPES));
    DATABASE.update("VACUUM ANALYZE inbox_message");
    snapshot = DATABASE.holdSnapshot("inbox_message");
  }

  @AfterEach
  void close() throws SQLException {
    snapshot.rollback();
    snapshot.close();
  }

  @Test
  void ofManyDueStepsNoMoreAreReadWhenTenTimesAsManyAreDue() throws Exception {
    start(2_000);
    long few = blocks.during(this::takeOver);
    start(18_000);

    assertThat(blocks.during(this::takeOver)).isLessThanOrEqualTo(3 * few);
  }

  /** Such as refunds: some have ended since the snapshot, and none is under way. */
  @Test
  void ofTheirTypesNoMoreAreReadWhenTenTimesAsManyOfAnotherTypeHaveEnded() throws Exception {
    insert("ended", "Refund", 1_000, "20 minutes");
    end("ended");
    start(2_000);
    takeOver(DATABASE.source());
    long few = blocks.during(this::findTypes);
    insert("ended", "Refund", 9_000, "20 minutes");
    end("ended");

    assertThat(blocks.during(this::findTypes))
        .as("of the index, with a hundred entries to a page, and not of their rows")
        .isLessThanOrEqualTo(few + 9_000 / 100);
  }

  private void findTypes(DataSource database) throws SQLException {
    try (Connection tx = database.getConnection()) {
      assertThat(started.types(tx)).containsExactly("Charge");
    }
  }

  @Test
  void ofFewDueStepsNoMoreAreReadWhenTenTimesAsManyHaveEnded() throws Exception {
    startAndEnd(1_000);
    start(1);
    takeOver(DATABASE.source());
    start(1);
    long few = blocks.during(this::takeOver);
    startAndEnd(9_000);

    assertThat(blocks.during(this::takeOver)).isLessThanOrEqualTo(2 * few);
  }

  @ParameterizedTest
  @EnumSource(Change.class)
  void ofAFewStepsNoMoreAreReadToBeChangedWhenTenTimesAsManyHaveEnded(Change change)
      throws Exception {
    startAndEnd(1_000);
    long few = blocksToChange(change);
    startAndEnd(9_000);

    // Three: a page may have no room left, so that all indexes get an entry.
    assertThat(blocksToChange(change)).isLessThanOrEqualTo(3 * few);
  }

  /** What becomes of steps that are under way. */
  private enum Change {
    COMPLETE {
      @Override
      void make(InboxTable inbox, Connection tx, List<InboxRow> steps) throws SQLException {
        assertThat(inbox.complete(tx, of(steps, "{}"))).hasSize(10);
      }
    },
    POSTPONE {
      @Override
      void make(InboxTable inbox, Connection tx, List<InboxRow> steps) throws SQLException {
        assertThat(inbox.postpone(tx, of(steps, HOUR))).hasSize(10);
      }
    },
    REST {
      @Override
      void make(InboxTable inbox, Connection tx, List<InboxRow> steps) throws SQLException {
        assertThat(inbox.rest(tx, of(steps, HOUR))).hasSize(10);
      }
    },
    WAKE {
      @Override
      void make(InboxTable inbox, Connection tx, List<InboxRow> steps) throws SQLException {
        for (InboxRow step : steps) {
          assertThat(inbox.wake(tx, step.id())).isEqualTo(PendingSteps.Result.UNDER_WAY);
        }
      }
    };

    abstract void make(InboxTable inbox, Connection tx, List<InboxRow> steps) throws SQLException;

    private static <T> Map<InboxRow, T> of(List<InboxRow> steps, T what) {
      return steps.stream().collect(Collectors.toMap(step -> step, step -> what));
    }
  }

  private long blocksToChange(Change change) throws Exception {
    start(10);
    InboxTable inbox = new InboxTable(DATABASE.source());
    List<InboxRow> taken = takeAllOver(inbox);
    return blocks.during(
        database -> {
          try (Connection tx = database.getConnection()) {
            change.make(inbox, tx, taken);
            tx.commit();
          }
        });
  }

  private static List<InboxRow> takeAllOver(InboxTable inbox) throws SQLException {
    try (Connection tx = DATABASE.source().getConnection()) {
      tx.setAutoCommit(false);
      List<InboxRow> taken = new ArrayList<>();
      for (String type : inbox.startedTypes(tx)) {
        taken.addAll(inbox.takeOver(tx, new DueSteps(type, null, List.of(), 50, 10), HOUR));
      }
      tx.commit();
      return taken;
    }
  }

  private void takeOver(DataSource database) throws SQLException {
    try (Connection tx = database.getConnection()) {
      tx.setAutoCommit(false);
      for (String type : started.types(tx)) {
        DueSteps due = new DueSteps(type, null, List.of(), 10, 10);
        assertThat(started.takeOver(tx, due, HOUR)).isNotEmpty();
      }
      tx.commit();
    }
  }

  private static void start(int steps) {
    insert("due", "Charge", steps, "1 second");
  }

  private static void startAndEnd(int steps) {
    insert("ended", "Charge", steps, "20 minutes");
    end("ended");
  }

  /** Each at a moment of its own, as messages come. */
  private static void insert(String name, String type, int steps, String overSince) {
    DATABASE.update(
        """
        INSERT INTO inbox_message
               (scope, step_key, fingerprint, status, lease_expires_at, envelope)
        SELECT 'scope-' || n % ?, gen_random_uuid() || ':' || ?, '', 'STARTED',
               clock_timestamp() - ?::interval, json_build_object('type', ?)
        FROM   generate_series(1, ?) AS n
        """,
        SCOPES, name, overSince, type, steps);
  }

  private static void end(String name) {
    DATABASE.update(
        """
        UPDATE inbox_message
        SET    status = 'COMPLETED', lease_expires_at = NULL, envelope = NULL, outcome = '{}',
               completed_at = now()
        WHERE  lease_expires_at IS NOT NULL
        AND    step_key LIKE '%:' || ?
        """,
        name);
  }
}
