package io.onceflow.reconciliation.internal.run;

import static io.onceflow.reconciliation.internal.ListBook.entry;
import static io.onceflow.reconciliation.internal.ListBook.in;
import static io.onceflow.reconciliation.internal.run.ReconcilerFixture.DAY;
import static io.onceflow.reconciliation.internal.run.ReconcilerFixture.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.reconciliation.Difference;
import io.onceflow.reconciliation.Difference.Status;
import io.onceflow.reconciliation.internal.TestReconciliation;
import io.onceflow.reconciliation.internal.difference.BothBooks;
import io.onceflow.sql.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReconcilerTest {

  private final ReconcilerFixture books = new ReconcilerFixture();

  @BeforeEach
  void empty() throws Exception {
    TestReconciliation.empty();
    both(entry("same", "CHARGED", 100, NOON));
  }

  private void both(BookEntry entry) {
    books.ours.entries.add(entry);
    books.theirs.entries.add(entry);
  }

  @Test
  void findsNothingInBooksThatAgree() throws Exception {
    RunCounts counts = books.compare();

    assertThat(counts).isEqualTo(new RunCounts(1, 1, 0, 0));
    assertThat(books.differences()).isEmpty();
  }

  @Test
  void findsWhatTheOtherSideAloneHas() throws Exception {
    books.theirs.entries.add(entry("stray", "CHARGED", 500, NOON));

    assertThat(books.compare()).isEqualTo(new RunCounts(1, 2, 1, 1));

    Difference found = books.differences().getFirst();
    assertThat(books.open()).containsExactly("MISSING_HERE stray");
    assertThat(found.ours()).isEmpty();
    assertThat(found.theirs()).containsExactly(entry("stray", "CHARGED", 500, NOON));
    assertThat(found.day()).isEqualTo(DAY);
  }

  @Test
  void findsWhatWeAloneHave() throws Exception {
    books.ours.entries.add(entry("lost", "CHARGED", 500, NOON));

    books.compare();

    assertThat(books.open()).containsExactly("MISSING_THERE lost");
  }

  @Test
  void findsOtherAmountsCurrenciesAndStates() throws Exception {
    books.ours.entries.add(entry("amount", "CHARGED", 500, NOON));
    books.theirs.entries.add(entry("amount", "CHARGED", 501, NOON));
    books.ours.entries.add(entry("currency", "CHARGED", 500, NOON));
    books.theirs.entries.add(in(entry("currency", "CHARGED", 500, NOON), "USD"));
    books.ours.entries.add(entry("state", "REFUNDED", 500, NOON));
    books.theirs.entries.add(entry("state", "CHARGED", 500, NOON));

    books.compare();

    assertThat(books.open())
        .containsExactlyInAnyOrder("AMOUNT amount", "CURRENCY currency", "STATE state");
  }

  /** A refund of a charge that is months old fails weeks after it was made. */
  @Test
  void looksUpOldEntriesThatBeganToChangeOnTheDay() throws Exception {
    Instant monthsAgo = NOON.minus(Duration.ofDays(100));
    books.ours.entries.add(entry("old", "REFUNDED", 500, monthsAgo));
    books.theirs.entries.add(entry("old", "CHARGED", 500, monthsAgo));
    books.compare();
    assertThat(books.open()).isEmpty();

    books.theirs.changed.addAll(List.of("old", "same"));
    assertThat(books.compare()).isEqualTo(new RunCounts(1, 1, 1, 1));
    assertThat(books.open()).containsExactly("STATE old");

    books.theirs.entries.removeLast();
    books.theirs.entries.add(entry("old", "CHARGED|REFUNDED", 500, monthsAgo));
    books.compare();
    assertThat(books.open()).isEmpty();
  }

  /** Before, all of a day were held at once. */
  @Test
  void readsWhatBeganToChangePageByPageAndCountsItOnce() throws Exception {
    Instant monthsAgo = NOON.minus(Duration.ofDays(100));
    for (String old : List.of("old-1", "old-2", "old-3", "old-4", "old-5")) {
      books.ours.entries.add(entry(old, "REFUNDED", 500, monthsAgo));
      books.theirs.entries.add(entry(old, "CHARGED", 500, monthsAgo));
      books.theirs.changed.add(old);
    }
    books.ours.changed.addAll(List.of("old-5", "same", "old-4"));

    RunCounts counts = books.compare();

    assertThat(counts.stored()).isEqualTo(5);
    assertThat(books.open()).hasSize(5).contains("STATE old-5");
  }

  /** Before: it was left to a next run that never came. */
  @Test
  void leavesNothingThatHasJustChangedInTheLastRun() throws Exception {
    Instant now = Instant.now().minusSeconds(60);
    books.theirs.entries.add(
        new BookEntry("late", "CHARGED", 500L, "EUR", NOON, now, null, Map.of()));
    books.compare();
    assertThat(books.open()).isEmpty();

    books.lastAfter = Duration.ofDays(2);
    books.compare();

    assertThat(books.open()).containsExactly("MISSING_HERE late");
  }

  @Test
  void findsWhatABookHasTwice() throws Exception {
    both(entry("twice", "CHARGED", 500, NOON));
    books.theirs.entries.add(entry("twice", "CHARGED", 500, NOON.plusSeconds(60)));

    books.compare();

    assertThat(books.open()).containsExactly("TWICE twice");
    assertThat(books.differences().getFirst().theirs()).hasSize(2);
  }

  /** Such as in metadata of a charge that somebody else has made: PostgreSQL stores no NUL. */
  @Test
  void findsWhatHasANulInItsTexts() throws Exception {
    Map<String, String> evidence = Map.of("a\0b", "c\0d");
    books.theirs.entries.add(
        new BookEntry("odd", "CHARGED", 500L, "EU\0", NOON, NOON, "a\0b", evidence));

    books.compare();

    assertThat(books.open()).containsExactly("MISSING_HERE odd");
    BookEntry stored = books.differences().getFirst().theirs().getFirst();
    assertThat(stored.currency()).isEqualTo("EU\ufffd");
    assertThat(stored.application()).isEqualTo("a\ufffdb");
    assertThat(stored.evidence()).isEqualTo(Map.of("a\ufffdb", "c\ufffdd"));
  }

  @Test
  void takesNoTextForTheEndOfALine() throws Exception {
    both(in(entry("odd\\.", "CHARGED", 500, NOON), "E\tU\nR\r\\."));

    assertThat(books.compare()).isEqualTo(new RunCounts(2, 2, 0, 0));
  }

  @Test
  void takesEveryStateThatASideAllows() throws Exception {
    books.theirs.entries.add(entry("given-back", "REFUNDED|ABSENT", 500, NOON));
    books.ours.entries.add(entry("cancelled", "REFUNDED|ABSENT", 500, NOON));
    books.ours.entries.add(entry("either", "CHARGED|REFUNDED", 500, NOON));
    books.theirs.entries.add(entry("either", "REFUNDED|ABSENT", 500, NOON));

    books.compare();

    assertThat(books.open()).isEmpty();
  }

  @Test
  void doesNotCompareWhatASideDoesNotKnow() throws Exception {
    books.ours.entries.add(new BookEntry("free", "BOOKED", null, null, NOON, NOON, null, Map.of()));
    books.theirs.entries.add(entry("free", "BOOKED", 700, NOON));

    books.compare();

    assertThat(books.open()).isEmpty();
  }

  @Test
  void findsAtTheEdgeOfADayWhatTheOtherSideDatesOnTheNext() throws Exception {
    Instant midnight = NOON.plus(Duration.ofHours(12));
    books.ours.entries.add(entry("edge", "CHARGED", 500, midnight.plusSeconds(2)));
    books.theirs.entries.add(entry("edge", "CHARGED", 500, midnight.minusSeconds(2)));
    books.ours.entries.add(entry("far", "CHARGED", 500, midnight.plus(Duration.ofHours(9))));
    books.theirs.entries.add(entry("far", "CHARGED", 500, midnight.minusSeconds(2)));

    books.compare();
    books.compare(DAY.plusDays(1));

    assertThat(books.open()).isEmpty();
  }

  @Test
  void judgesADayAndNotItsNeighbours() throws Exception {
    books.theirs.entries.add(entry("stray", "CHARGED", 500, NOON.plus(Duration.ofHours(12))));
    books.theirs.entries.add(entry("before", "CHARGED", 500, NOON.minus(Duration.ofMinutes(750))));

    books.compare();
    assertThat(books.open()).isEmpty();

    books.compare(DAY.plusDays(1));
    assertThat(books.open()).containsExactly("MISSING_HERE stray");
  }

  @Test
  void leavesWhatHasJustChangedToTheNextRun() throws Exception {
    BookEntry refunded = entry("refunded", "REFUNDED", 500, NOON);
    books.ours.entries.add(entry("refunded", "CHARGED", 500, NOON));
    books.theirs.entries.add(refunded.withChangedAt(Instant.now().minusSeconds(60)));

    books.compare();
    assertThat(books.open()).isEmpty();

    books.theirs.entries.set(1, refunded.withChangedAt(Instant.now().minus(Duration.ofHours(2))));
    books.compare();
    assertThat(books.open()).containsExactly("STATE refunded");
  }

  @Test
  void looksAgainAtWhatWasChangedWhileTheBooksWereRead() throws Exception {
    books.theirs.entries.add(entry("late", "CHARGED", 500, NOON));
    books.theirs.afterReading = () -> books.ours.entries.add(entry("late", "CHARGED", 500, NOON));

    books.compare();

    assertThat(books.open()).isEmpty();
  }

  /** Such as a payment whose step ends in between, and has its row by then. */
  @Test
  void looksAgainAtWhatIsChangedWhileTheOtherSideIsLookedUp() throws Exception {
    books.theirs.entries.add(entry("late", "CHARGED", 500, NOON));
    AtomicInteger lookUps = new AtomicInteger();
    books.theirs.beforeLookingUp =
        () -> {
          if (lookUps.incrementAndGet() == 1) {
            books.ours.entries.add(entry("late", "CHARGED", 500, NOON));
          }
        };

    books.compare();

    assertThat(books.differences()).isEmpty();
  }

  @Test
  void findsTheSameDifferenceAgainAndResolvesItOnceItIsGone() throws Exception {
    books.theirs.entries.add(entry("stray", "CHARGED", 500, NOON));
    books.compare();
    books.compare();
    assertThat(books.differences()).hasSize(1);
    assertThat(books.open()).containsExactly("MISSING_HERE stray");

    books.ours.entries.add(entry("stray", "CHARGED", 500, NOON));
    books.compare();

    assertThat(books.differences()).hasSize(1);
    assertThat(books.differences().getFirst().status()).isEqualTo(Status.RESOLVED);

    books.ours.entries.removeLast();
    books.compare();

    assertThat(books.differences()).hasSize(1);
    assertThat(books.open()).containsExactly("MISSING_HERE stray");
  }

  @Test
  void storesUpToABoundAndCountsOn() throws Exception {
    for (int i = 0; i < 20; i++) {
      books.theirs.entries.add(entry("stray-" + i, "CHARGED", 500, NOON));
    }
    books.mostStored = 5;

    assertThat(books.compare()).isEqualTo(new RunCounts(1, 21, 20, 5));
    assertThat(books.open()).hasSize(5);
  }

  @Test
  void leavesToTheNextRunWhatChangesWhileTheBooksAreRead() throws Exception {
    books.theirs.entries.add(entry("stray", "CHARGED", 500, NOON));
    books.theirs.afterReading =
        () -> books.theirs.entries.replaceAll(it -> it.withChangedAt(Instant.now()));

    books.compare();

    assertThat(books.differences()).isEmpty();
  }

  @Test
  void leavesOpenWhatHasJustChangedAgain() throws Exception {
    books.theirs.entries.add(entry("stray", "CHARGED", 500, NOON));
    books.compare();
    books.theirs.entries.replaceAll(it -> it.withChangedAt(Instant.now()));

    books.compare();

    assertThat(books.open()).containsExactly("MISSING_HERE stray");
  }

  @Test
  void leavesOpenWhatIsNotStoredAgainSinceThereIsMore() throws Exception {
    books.mostStored = 1;
    books.theirs.entries.add(entry("stray-b", "CHARGED", 500, NOON));
    books.compare();
    books.theirs.entries.add(entry("stray-a", "CHARGED", 500, NOON));

    books.compare();

    assertThat(books.open()).contains("MISSING_HERE stray-b");
  }

  @Test
  void writesNothingOnceAnotherAttemptHasBegun() throws Exception {
    LeasedRun run = books.begin(DAY);
    books.theirs.entries.add(entry("stray", "CHARGED", 500, NOON));
    books.theirs.afterReading = ReconcilerTest::beginAnotherAttempt;

    assertIsLost(run);
    assertThat(books.differences()).isEmpty();
  }

  /** A day without entries: nothing of its own is left that would tell. */
  @Test
  void leavesAloneWhatAnotherAttemptHasRead() throws Exception {
    books.ours.entries.clear();
    books.theirs.entries.clear();
    LeasedRun run = books.begin(DAY);
    books.theirs.afterReading = ReconcilerTest::beginAnotherAttempt;

    assertIsLost(run);
    assertThat(staged()).containsExactly("other");
  }

  private static List<String> staged() throws SQLException {
    return DatabaseTransaction.call(
        TestReconciliation.DATABASE,
        tx ->
            Sql.query(
                tx,
                "SELECT reference FROM reconciliation_entry",
                row -> String.valueOf(row.text("reference"))));
  }

  @Test
  void recordsNothingOnceAnotherAttemptHasBegun() throws Exception {
    LeasedRun run = books.begin(DAY);
    books.theirs.entries.add(entry("stray", "CHARGED", 500, NOON));
    books.theirs.beforeLookingUp = ReconcilerTest::beginAnotherAttempt;

    assertIsLost(run);
    assertThat(books.differences()).isEmpty();
  }

  /** An operator has tried to refund it, and has then done so by hand. */
  @Test
  void resolvesWhatIsGoneThoughItsMendHadFailed() throws Exception {
    books.theirs.entries.add(entry("stray", "CHARGED", 500, NOON));
    books.compare();
    beginMend("now() - interval '1 s'");
    books.theirs.entries.removeLast();

    books.compare();

    assertThat(books.differences().getFirst().status()).isEqualTo(Status.RESOLVED);
  }

  @Test
  void leavesToItsMendWhatIsBeingMended() throws Exception {
    books.theirs.entries.add(entry("stray", "CHARGED", 500, NOON));
    books.compare();
    beginMend("now() + interval '1 min'");
    books.theirs.entries.removeLast();

    books.compare();

    assertThat(books.differences().getFirst().status()).isEqualTo(Status.MENDING);
  }

  private static void beginMend(String until) throws SQLException {
    TestReconciliation.execute(
        "UPDATE reconciliation_difference SET status = 'MENDING', mending_until = " + until);
  }

  @Test
  void resolvesNothingOnceAnotherAttemptHasBegun() throws Exception {
    books.theirs.entries.add(entry("stray", "CHARGED", 500, NOON));
    books.compare();
    books.ours.entries.add(entry("stray", "CHARGED", 500, NOON));
    LeasedRun run = books.begin(DAY);
    books.theirs.beforeLookingUp = ReconcilerTest::beginAnotherAttempt;

    assertIsLost(run);
    assertThat(books.open()).containsExactly("MISSING_HERE stray");
  }

  /** There may be ten thousand look-ups, each of which takes another system a while. */
  @Test
  void endsAtItsNextLookUpWhenItIsGivenUp() {
    books.theirs.entries.add(entry("stray", "CHARGED", 500, NOON));
    books.theirs.entries.add(entry("other", "CHARGED", 500, NOON));
    AtomicInteger lookUps = new AtomicInteger();
    books.theirs.beforeLookingUp =
        () -> {
          lookUps.incrementAndGet();
          Thread.currentThread().interrupt();
        };

    try {
      assertThatThrownBy(books::compare).isInstanceOf(InterruptedException.class);
    } finally {
      Thread.interrupted();
    }
    assertThat(lookUps).hasValue(1);
  }

  @Test
  void looksNothingUpForWhatMayBeGoneOnceItIsGivenUp() throws Exception {
    books.theirs.entries.add(entry("stray", "CHARGED", 500, NOON));
    books.compare();
    books.theirs.entries.removeLast();
    books.theirs.afterReading = () -> Thread.currentThread().interrupt();

    try {
      assertThatThrownBy(books::compare).isInstanceOf(InterruptedException.class);
    } finally {
      Thread.interrupted();
    }
    assertThat(books.open()).containsExactly("MISSING_HERE stray");
  }

  private void assertIsLost(LeasedRun run) {
    assertThatThrownBy(
            () -> books.reconciler().compare(run, new BothBooks(books.ours, books.theirs)))
        .isInstanceOf(RunLost.class);
  }

  private static void beginAnotherAttempt() {
    try {
      TestReconciliation.execute(
          "UPDATE reconciliation_run SET lease_expires_at = now() - interval '1 s'");
      RunLease other = new RunLease(UUID.randomUUID(), Duration.ofMinutes(1));
      LeasedRun begun =
          DatabaseTransaction.call(TestReconciliation.DATABASE, other::claim).orElseThrow();
      StagedBook staged = new StagedBook(TestReconciliation.DATABASE, begun, true);
      staged.accept(entry("other", "CHARGED", 500, NOON));
      staged.flush();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
