package io.onceflow.reconciliation.internal.difference;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.audit.AuditEntry;
import io.onceflow.inbox.internal.audit.AuditLog;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.inbox.internal.parking.RedriveCheck.Operator;
import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.participant.CallKey;
import io.onceflow.reconciliation.Difference;
import io.onceflow.reconciliation.Difference.Status;
import io.onceflow.reconciliation.Mend;
import io.onceflow.reconciliation.internal.difference.MendRefused.Because;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Mends differences as an operator asks: the intent is committed, the other system is called under
 * a key that follows from the reference, and the result is committed. After a crash in between, the
 * operator asks again and the call is repeated under the same key.
 */
public final class Mending {

  /** Whose the keys of mends are, among the scopes of customers. */
  private static final String SCOPE = "onceflow-reconciliation";

  private final DataSource database;
  private final DifferenceTable table;
  private final OpenBooks books;
  private final Function<String, Optional<Mend>> mends;
  private final Duration settleAfter;

  /** Opens the books of a comparison. */
  @FunctionalInterface
  public interface OpenBooks {

    /**
     * Opens them.
     *
     * @param token of the operator
     */
    BothBooks open(String comparison, String token) throws IOException;
  }

  /**
   * @param database with the differences
   * @param table that they are in
   * @param mends by the names of comparisons
   * @param settleAfter what has changed less than this ago is not mended: it may be under way
   */
  public Mending(
      DataSource database,
      DifferenceTable table,
      OpenBooks books,
      Function<String, Optional<Mend>> mends,
      Duration settleAfter) {
    this.database = database;
    this.table = table;
    this.books = books;
    this.mends = mends;
    this.settleAfter = settleAfter;
  }

  /**
   * A mend that has started. Another one may start once its lease is over, such as while its
   * process stands still; what it comes to is then not recorded.
   *
   * @param until the end of its lease
   */
  private record LeasedMend(Difference difference, Instant until) {}

  /** What a mend would do, in a sentence; empty where the difference is left to people. */
  public Optional<String> proposal(Difference difference) {
    return difference.isOpen()
        ? mends
            .apply(difference.comparison())
            .map(mend -> mend.proposal(difference))
            .filter(text -> !text.isEmpty())
        : Optional.empty();
  }

  /**
   * Mends a difference.
   *
   * @throws MendRefused where it is not mended
   */
  public Difference mend(UUID id, Operator operator, @Nullable String reason)
      throws SQLException, InterruptedException {
    Difference difference = find(id);
    Mend mend = mendOf(difference);
    LeasedMend leased = begin(difference, operator, reason);
    Instant settled = Instant.now().minus(settleAfter);
    EntryPair pair = lookUp(leased, operator);
    if (!pair.differences().contains(difference.kind())) {
      return end(leased, Status.RESOLVED, "nothing was done: both books agree by now", null);
    }
    if (pair.hasChangedSince(settled)) {
      throw underWay(leased);
    }
    return end(leased, Status.MENDED, carryOut(mend, leased), operator.name());
  }

  private Mend mendOf(Difference difference) {
    if (proposal(difference).isEmpty()) {
      throw refused(
          difference,
          difference.isOpen() ? "there is no mend for it" : "it is " + difference.status());
    }
    return mends.apply(difference.comparison()).orElseThrow();
  }

  private LeasedMend begin(Difference difference, Operator operator, @Nullable String reason)
      throws SQLException {
    return DatabaseTransaction.call(
        database,
        tx -> {
          Instant until =
              DifferenceTable.beginMend(tx, difference.id(), reason)
                  .orElseThrow(
                      () -> refused(difference, "it was closed, or a mend of it is under way"));
          audit(tx, operator, "reconciliation-mend", difference, reason);
          return new LeasedMend(difference, until);
        });
  }

  /** A run may have found it a day ago. */
  private EntryPair lookUp(LeasedMend mend, Operator operator)
      throws SQLException, InterruptedException {
    Difference difference = mend.difference();
    try {
      return books.open(difference.comparison(), operator.token()).lookUp(difference.reference());
    } catch (IOException | RuntimeException e) {
      fail(mend, String.valueOf(e.getMessage()));
      throw unavailable(difference, e);
    }
  }

  /** Such as a charge whose step has been resumed, and is about to know it. */
  private MendRefused underWay(LeasedMend mend) throws SQLException {
    Difference it = mend.difference();
    DatabaseTransaction.call(
        database,
        tx -> {
          DifferenceTable.undoMend(tx, it.id(), mend.until(), it.status());
          return true;
        });
    return refused(
        it, "a side has changed less than %s ago, so it may be in progress".formatted(settleAfter));
  }

  private String carryOut(Mend mend, LeasedMend leased) throws SQLException, InterruptedException {
    Difference difference = leased.difference();
    try {
      return mend.carryOut(difference, key(difference));
    } catch (IOException | RuntimeException e) {
      fail(leased, String.valueOf(e.getMessage()));
      throw unavailable(difference, e);
    }
  }

  /** The same however often an operator asks. */
  static CallKey key(Difference difference) {
    return new CallKey(
        SCOPE,
        new StepKey(
            new IdempotencyKey(difference.reference()),
            "mend",
            "reconciliation/" + difference.comparison()));
  }

  private Difference end(LeasedMend mend, Status status, String outcome, @Nullable String operator)
      throws SQLException {
    UUID id = mend.difference().id();
    DatabaseTransaction.call(
        database,
        tx -> {
          DifferenceTable.endMend(tx, id, mend.until(), status, outcome, operator);
          return true;
        });
    return find(id);
  }

  private void fail(LeasedMend mend, String why) throws SQLException {
    DatabaseTransaction.call(
        database,
        tx -> {
          DifferenceTable.failMend(tx, mend.difference().id(), mend.until(), why);
          return true;
        });
  }

  /**
   * Closes a difference about which nothing is to be done.
   *
   * @throws MendRefused where it is not open
   */
  public Difference dismiss(UUID id, Operator operator, @Nullable String reason)
      throws SQLException {
    return DatabaseTransaction.call(
        database,
        tx -> {
          Difference difference = table.lock(tx, id).orElseThrow(() -> unknown(id));
          if (!DifferenceTable.dismiss(tx, id, operator.name(), reason)) {
            throw refused(difference, "it is " + difference.status());
          }
          Difference dismissed = table.find(tx, id).orElseThrow();
          audit(tx, operator, "reconciliation-dismiss", difference, reason);
          return dismissed;
        });
  }

  private Difference find(UUID id) throws SQLException {
    return DatabaseTransaction.call(database, tx -> table.find(tx, id))
        .orElseThrow(() -> unknown(id));
  }

  private static void audit(
      Connection tx,
      Operator operator,
      String action,
      Difference difference,
      @Nullable String reason)
      throws SQLException {
    AuditLog.record(
        tx,
        new AuditEntry(
            operator.name(),
            action,
            new AuditSubject("difference", difference.id().toString()),
            reason,
            "%s %s of %s"
                .formatted(difference.kind(), difference.reference(), difference.comparison())));
  }

  private static MendRefused unknown(UUID id) {
    return new MendRefused(Because.UNKNOWN, "There is no difference %s.".formatted(id));
  }

  private static MendRefused refused(Difference difference, String why) {
    return new MendRefused(
        Because.REFUSED,
        "%s %s of %s is left as it is: %s."
            .formatted(difference.kind(), difference.reference(), difference.comparison(), why));
  }

  private static MendRefused unavailable(Difference difference, Exception failure) {
    return new MendRefused(
        Because.UNAVAILABLE,
        "The mend of %s has no known result (%s); ask again, the key is the same."
            .formatted(difference.reference(), failure.getMessage()),
        failure);
  }
}
