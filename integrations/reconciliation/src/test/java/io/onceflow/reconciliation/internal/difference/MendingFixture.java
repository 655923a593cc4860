package io.onceflow.reconciliation.internal.difference;

import static io.onceflow.reconciliation.internal.ListBook.entry;
import static io.onceflow.reconciliation.internal.TestReconciliation.DATABASE;
import static io.onceflow.reconciliation.internal.TestReconciliation.JSON;

import io.onceflow.inbox.internal.parking.RedriveCheck.Operator;
import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.participant.CallKey;
import io.onceflow.reconciliation.Difference;
import io.onceflow.reconciliation.Difference.Kind;
import io.onceflow.reconciliation.Difference.Status;
import io.onceflow.reconciliation.Mend;
import io.onceflow.reconciliation.internal.ListBook;
import io.onceflow.sql.Sql;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** Two books in memory, differences in a database, and a mend that refunds. */
final class MendingFixture {

  static final Operator OLGA = new Operator("olga", "a token");
  static final Instant AT = Instant.parse("2025-03-14T12:00:00Z");

  final ListBook ours = new ListBook();
  final ListBook theirs = new ListBook();
  final DifferenceTable table = new DifferenceTable(JSON);
  final List<CallKey> calls = new CopyOnWriteArrayList<>();
  boolean isDown;
  Meanwhile whileCalled = () -> {};
  final Mending mending =
      new Mending(
          DATABASE,
          table,
          (comparison, token) -> new BothBooks(ours, theirs),
          comparison -> Optional.of(refund()),
          Duration.ofHours(1));

  /** What happens while the other system is called. */
  interface Meanwhile {
    void happens() throws Exception;
  }

  private Mend refund() {
    return new Mend() {

      @Override
      public String comparison() {
        return "test";
      }

      @Override
      public String proposal(Difference it) {
        return it.kind() == Kind.MISSING_HERE ? "refund" : "";
      }

      @Override
      public String carryOut(Difference it, CallKey key) throws IOException {
        calls.add(key);
        try {
          whileCalled.happens();
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
        if (isDown) {
          throw new IOException("no answer");
        }
        return "refunded";
      }
    };
  }

  /** Adds an entry to their book, and has a run find the difference; returns its id. */
  UUID found(String reference, Kind kind) throws SQLException {
    theirs.entries.add(entry(reference, "CHARGED", 500, AT));
    DatabaseTransaction.call(
        DATABASE,
        tx -> {
          table.found(
              tx,
              "test",
              LocalDate.of(2025, 3, 14),
              reference,
              kind,
              new EntryPair(ours.entries, theirs.entries));
          return true;
        });
    return DatabaseTransaction.call(
            DATABASE, tx -> table.newest(tx, new DifferenceFilter(null, null, null, null), 1))
        .getFirst()
        .id();
  }

  List<String> audit() throws SQLException {
    return DatabaseTransaction.call(
        DATABASE,
        tx ->
            Sql.query(
                tx,
                "SELECT actor || ' ' || action AS act FROM operator_audit ORDER BY seq",
                row -> String.valueOf(row.text("act"))));
  }

  Status status(UUID id) throws SQLException {
    return find(id).status();
  }

  Difference find(UUID id) throws SQLException {
    return DatabaseTransaction.call(DATABASE, tx -> table.find(tx, id)).orElseThrow();
  }
}
