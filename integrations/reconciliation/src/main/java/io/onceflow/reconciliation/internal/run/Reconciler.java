package io.onceflow.reconciliation.internal.run;

import static java.util.Comparator.naturalOrder;

import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.internal.database.LongStatements;
import io.onceflow.reconciliation.Book;
import io.onceflow.reconciliation.Book.Window;
import io.onceflow.reconciliation.Difference;
import io.onceflow.reconciliation.Difference.Kind;
import io.onceflow.reconciliation.internal.ReconciliationConfig;
import io.onceflow.reconciliation.internal.difference.BothBooks;
import io.onceflow.reconciliation.internal.difference.DifferenceTable;
import io.onceflow.reconciliation.internal.difference.EntryPair;
import io.onceflow.sql.Sql;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Compares two books of a day: stages both, lets the database find what they differ in, looks each
 * of that up on both sides again, and records what is still different. So neither a change between
 * the reading of the two nor an edge of a day makes a difference.
 */
final class Reconciler {

  /** The comparison is one statement; a million entries a side take it seconds. */
  private static final Duration LONGEST_STATEMENT = Duration.ofMinutes(30);

  private final DataSource database;
  private final DifferenceTable differences;
  private final ReconciliationConfig config;

  Reconciler(DataSource database, DifferenceTable differences, ReconciliationConfig config) {
    this.database = database;
    this.differences = differences;
    this.config = config;
  }

  /**
   * Compares; what was found is committed, the run's end is not.
   *
   * @throws IOException where a book cannot be read
   * @throws RunLost where another attempt has started
   */
  RunCounts compare(LeasedRun run, BothBooks books)
      throws IOException, SQLException, InterruptedException {
    clear(run);
    long ours = stage(run, books.ours(), true);
    long theirs = stage(run, books.theirs(), false);
    Window day = Window.of(run.day());
    Instant settled = settled(run, day);
    Suspects suspects =
        LongStatements.call(
            database,
            LONGEST_STATEMENT,
            it -> Suspects.of(it, run.token(), day, settled, config.mostStored()));
    clear(run);
    Set<String> known = new HashSet<>(suspects.references());
    long stored = record(run, books, suspects.references(), settled);
    stored += recordChanged(run, books, books.ours(), known, settled);
    stored += recordChanged(run, books, books.theirs(), known, settled);
    resolve(run, books, settled);
    long beyond = suspects.differences() - suspects.kept();
    return new RunCounts(ours, theirs, stored + beyond, stored);
  }

  /** What changed later is left to the next run, if there is one. */
  private Instant settled(LeasedRun run, Window day) {
    boolean isLast =
        config.compareAfter().flatMap(rounds -> rounds.stream().max(naturalOrder())).stream()
            .anyMatch(last -> !run.startedAt().isBefore(day.to().plus(last)));
    return isLast ? run.startedAt() : run.startedAt().minus(config.settleAfter());
  }

  /** No other run is under way, and what an earlier attempt still writes has another token. */
  private void clear(LeasedRun run) throws SQLException {
    DatabaseTransaction.call(
        database,
        tx -> {
          requireHeld(tx, run);
          return Sql.query(tx, "SELECT empty_reconciliation_entry()", row -> true);
        });
  }

  private long stage(LeasedRun run, Book book, boolean isOurs)
      throws IOException, InterruptedException {
    StagedBook staged = new StagedBook(database, run, isOurs);
    book.read(Window.of(run.day()).widenedBy(config.margin()), staged);
    staged.flush();
    return staged.staged();
  }

  /**
   * Page by page, since a day may have more of them than there is memory for.
   *
   * @param known what is recorded; gets those that differ
   */
  private long recordChanged(
      LeasedRun run, BothBooks books, Book book, Set<String> known, Instant settled)
      throws IOException, SQLException, InterruptedException {
    Window day = Window.of(run.day());
    long stored = 0;
    List<String> page = book.changedIn(day, null);
    while (!page.isEmpty()) {
      for (String reference : page) {
        long differences =
            known.contains(reference) ? 0 : record(run, books, Set.of(reference), settled);
        if (differences > 0) {
          known.add(reference);
          stored += differences;
        }
      }
      page = book.changedIn(day, page.getLast());
    }
    return stored;
  }

  private long record(LeasedRun run, BothBooks books, Set<String> references, Instant settled)
      throws IOException, SQLException, InterruptedException {
    long stored = 0;
    for (String reference : references) {
      EntryPair pair = lookUp(books, reference);
      if (!pair.hasChangedSince(settled)) {
        stored += record(run, reference, pair);
      }
    }
    return stored;
  }

  private int record(LeasedRun run, String reference, EntryPair pair) throws SQLException {
    Set<Kind> kinds = pair.differences();
    if (kinds.isEmpty()) {
      return 0;
    }
    DatabaseTransaction.call(
        database,
        tx -> {
          requireHeld(tx, run);
          for (Kind kind : kinds) {
            differences.found(tx, run.comparison(), run.day(), reference, kind, pair);
          }
          return true;
        });
    return kinds.size();
  }

  /** Those of the day that this run has not found again. */
  private void resolve(LeasedRun run, BothBooks books, Instant settled)
      throws IOException, SQLException, InterruptedException {
    for (Difference open :
        DatabaseTransaction.call(
            database,
            tx ->
                differences.openBefore(
                    tx, run.comparison(), run.day(), run.startedAt(), config.mostStored()))) {
      EntryPair pair = lookUp(books, open.reference());
      if (!pair.hasChangedSince(settled) && !pair.differences().contains(open.kind())) {
        DatabaseTransaction.call(
            database,
            tx -> {
              requireHeld(tx, run);
              differences.resolve(tx, open.id());
              return true;
            });
      }
    }
  }

  /** A book that looks up one entry does not look whether the run is given up. */
  private static EntryPair lookUp(BothBooks books, String reference)
      throws IOException, InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("the comparison is aborted before " + reference);
    }
    return books.lookUp(reference);
  }

  private static void requireHeld(Connection tx, LeasedRun run) throws SQLException {
    if (!RunLease.holds(tx, run)) {
      throw new RunLost(run);
    }
  }
}
