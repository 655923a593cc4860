package io.onceflow.reconciliation.internal.run;

import static io.onceflow.reconciliation.internal.TestReconciliation.DATABASE;
import static io.onceflow.reconciliation.internal.TestReconciliation.JSON;

import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.reconciliation.Difference;
import io.onceflow.reconciliation.Difference.Kind;
import io.onceflow.reconciliation.internal.ListBook;
import io.onceflow.reconciliation.internal.TestReconciliation;
import io.onceflow.reconciliation.internal.difference.BothBooks;
import io.onceflow.reconciliation.internal.difference.DifferenceFilter;
import io.onceflow.reconciliation.internal.difference.DifferenceTable;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

/** Two books on paper and a database. */
final class ReconcilerFixture {

  static final LocalDate DAY = LocalDate.now(ZoneOffset.UTC).minusDays(3);
  static final Instant NOON = DAY.atTime(12, 0).toInstant(ZoneOffset.UTC);

  final ListBook ours = new ListBook();
  final ListBook theirs = new ListBook();
  final RunLease lease = new RunLease(UUID.randomUUID(), Duration.ofMinutes(1));
  final DifferenceTable table = new DifferenceTable(JSON);
  int mostStored = 1_000;
  Duration lastAfter = Duration.ofDays(60);

  RunCounts compare() throws SQLException, IOException, InterruptedException {
    return compare(DAY);
  }

  RunCounts compare(LocalDate day) throws SQLException, IOException, InterruptedException {
    LeasedRun run = begin(day);
    RunCounts counts = reconciler().compare(run, new BothBooks(ours, theirs));
    DatabaseTransaction.call(DATABASE, tx -> RunLease.complete(tx, run, counts));
    return counts;
  }

  Reconciler reconciler() {
    return new Reconciler(DATABASE, table, TestReconciliation.config(mostStored, lastAfter));
  }

  LeasedRun begin(LocalDate day) throws SQLException {
    DatabaseTransaction.call(
        DATABASE,
        tx -> RunTable.request(tx, "test", day, "olivia", lease.owner(), Duration.ofMinutes(1)));
    return DatabaseTransaction.call(DATABASE, lease::claim).orElseThrow();
  }

  List<Difference> differences() throws SQLException {
    return DatabaseTransaction.call(
        DATABASE, tx -> table.newest(tx, new DifferenceFilter(null, null, null, null), 10_000));
  }

  /** The open ones, as {@code kind reference}. */
  List<String> open() throws SQLException {
    return differences().stream()
        .filter(Difference::isOpen)
        .map(it -> named(it.kind(), it.reference()))
        .toList();
  }

  static String named(Kind kind, String reference) {
    return kind + " " + reference;
  }
}
