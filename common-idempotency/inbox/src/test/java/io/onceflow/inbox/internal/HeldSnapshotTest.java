package io.onceflow.inbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.launcher.testing.TouchedBlocks;
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
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What recovery reads while another transaction, such as a backup, keeps its snapshot: the entries
 * of started steps that have ended since remain in the index. Seen red when it began with them.
 */
@Timeout(60)
@Tag("nightly")
class HeldSnapshotTest {

  private static final TestDatabase DATABASE = TestDatabase.inSchema("held_snapshot");
  private static final Duration HOUR = Duration.ofHours(1);

  private final TouchedBlocks blocks = new TouchedBlocks(DATABASE.source(), "inbox_message");
  private final InboxTable inbox = new InboxTable(DATABASE.source());
  private Connection snapshot;

  /** By this clock everything takes a second, so a scan from the start is not repeated soon. */
  private long now;

  private final StartedSteps started =
      new StartedSteps(DATABASE.source(), () -> 0, () -> now += Duration.ofSeconds(1).toNanos());

  @BeforeEach
  void holdSnapshot() throws SQLException {
    DATABASE.update("TRUNCATE inbox_message");
    DATABASE.update("ANALYZE inbox_message");
    snapshot = DATABASE.holdSnapshot("inbox_message");
  }

  @AfterEach
  void close() throws SQLException {
    snapshot.rollback();
    snapshot.close();
  }

  @Test
  void recoveryReadsNoMoreWhenTenTimesAsManyStepsHaveEnded() throws Exception {
    ended(1_000);
    recover(DATABASE.source());
    start(due("due"), Duration.ofMillis(-1));
    long few = blocks.during(this::recover);

    ended(9_000);
    start(due("also due"), Duration.ofMillis(-1));

    assertThat(blocks.during(this::recover)).isLessThanOrEqualTo(2 * few);
    now += Duration.ofMinutes(5).toNanos();
    assertThat(blocks.during(this::recover)).as("from the start").isGreaterThan(2 * few + 100);
  }

  @Test
  void aScanFromTheStartFindsAStepWhoseLeaseWasOverBeforeTheMark() throws Exception {
    assertThat(recover(DATABASE.source())).isEmpty();
    start(due("late"), HOUR.negated());
    assertThat(recover(DATABASE.source())).isEmpty();

    now += Duration.ofMinutes(5).toNanos();

    assertThat(recover(DATABASE.source())).containsExactly("late");
  }

  @Test
  void theMarkDoesNotPassAStepOfATransactionThatHasNotEnded() throws Exception {
    try (Connection tx = DATABASE.begin()) {
      inbox.insert(tx, List.of(due("slow")), Duration.ofSeconds(-2));
      assertThat(recover(DATABASE.source())).isEmpty();
      assertThat(recover(DATABASE.source())).isEmpty();
      tx.commit();
    }
    assertThat(recover(DATABASE.source())).containsExactly("slow");
  }

  @Test
  void theMarkDoesNotPassAStepThatIsDueAndForWhichThereIsNoRoom() throws Exception {
    start(due("waits"), HOUR.negated());
    for (int look = 0; look < 3; look++) {
      try (Connection tx = DATABASE.begin()) {
        assertThat(started.types(tx)).containsExactly("Charge");
      }
    }
    assertThat(recover(DATABASE.source())).containsExactly("waits");
  }

  @Test
  void ofManyThatAreDueThoseOfEachScopeAreFound() throws Exception {
    List<InboxRow> many = IntStream.range(0, 1_200).mapToObj(i -> due("step-" + i)).toList();
    try (Connection tx = DATABASE.connect()) {
      inbox.insert(tx, many, HOUR.negated());
    }
    start(row("another", "one", "Refund"), Duration.ofMillis(-1));

    assertThat(recover(DATABASE.source())).contains("one").hasSize(11);
  }

  private List<String> recover(DataSource database) throws SQLException {
    List<String> taken = new ArrayList<>();
    try (Connection tx = database.getConnection()) {
      tx.setAutoCommit(false);
      for (String type : started.types(tx)) {
        DueSteps due = new DueSteps(type, null, List.of(), 10, 10);
        started.takeOver(tx, due, HOUR).forEach(row -> taken.add(row.stepKey()));
      }
      tx.commit();
    }
    return taken;
  }

  /** Steps of the last half hour that were started and completed. */
  private void ended(int steps) throws SQLException {
    List<InboxRow> rows =
        IntStream.range(0, steps).mapToObj(i -> due(UUID.randomUUID().toString())).toList();
    try (Connection tx = DATABASE.connect()) {
      inbox.insert(tx, rows, Duration.ofMinutes(-20));
      Map<InboxRow, String> outcomes =
          rows.stream().collect(Collectors.toMap(Function.identity(), row -> "{}"));
      assertThat(inbox.complete(tx, outcomes)).hasSize(steps);
    }
  }

  private void start(InboxRow row, Duration lease) throws SQLException {
    try (Connection tx = DATABASE.connect()) {
      inbox.insert(tx, List.of(row), lease);
    }
  }

  private static InboxRow due(String step) {
    return row("scope", step, "Charge");
  }

  private static InboxRow row(String scope, String step, String type) {
    return new InboxRow(
        scope,
        step,
        null,
        InboxRow.Status.STARTED,
        1,
        1,
        "{\"type\":\"" + type + "\"}",
        null,
        null,
        false);
  }
}
