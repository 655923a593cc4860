package io.onceflow.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.participant.PendingSteps;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;

/** An inbox, transactions on it, and the words in which its laws are written. */
public abstract class InboxUnderTest {

  static final Duration HOUR = Duration.ofHours(1);
  static final int ALL = 10_000;
  static final Fingerprint PRINT = Fingerprint.of("a command".getBytes(UTF_8));

  /** As nobody would write it: re-written, it would be found out. */
  static final String TEXT =
      "{ \"type\":\"Done\",\n\"payload\" : {\"b\":1.50,\"a\":1E+2,\"a\":\"\\u00fc/ü\"}}";

  final String scope = "user-" + UUID.randomUUID();
  final InboxRow.Id id = new InboxRow.Id(scope, "key:pay");

  /** A transaction on the inbox under test; closed without a commit it leaves nothing behind. */
  protected interface Tx extends AutoCloseable {

    Map<InboxRow.Id, InboxRow> find(Set<InboxRow.Id> ids) throws Exception;

    Set<InboxRow.Id> insert(Map<InboxRow, Duration> leases) throws Exception;

    Set<InboxRow.Id> complete(Map<InboxRow, String> outcomes) throws Exception;

    Set<InboxRow.Id> postpone(Map<InboxRow, Duration> pauses) throws Exception;

    Set<InboxRow.Id> rest(Map<InboxRow, Duration> pauses) throws Exception;

    PendingSteps.Result wake(InboxRow.Id id) throws Exception;

    List<InboxRow> takeOver(int limit, Duration lease) throws Exception;

    void commit() throws Exception;

    @Override
    void close();
  }

  /** Begins a transaction. */
  protected abstract Tx begin() throws Exception;

  /** Lets this step's lease be over by the clock of the store. */
  protected abstract void endLease(InboxRow.Id id) throws Exception;

  /** What earlier tests have left is nobody's business for the next hour. */
  @BeforeEach
  void nothingIsDue() throws Exception {
    inTransaction(tx -> tx.takeOver(ALL, HOUR));
  }

  InboxRow.Id id(String step) {
    return new InboxRow.Id(scope, "key:" + step);
  }

  static InboxRow started(InboxRow.Id id) {
    return InboxRow.started(id, PRINT, TEXT);
  }

  InboxRow withToken(long token) {
    InboxRow row = started(id);
    return new InboxRow(
        row.scope(),
        row.stepKey(),
        row.fingerprint(),
        row.status(),
        token,
        row.attempts(),
        row.envelope(),
        row.outcome(),
        row.pendingSince(),
        row.isResting());
  }

  InboxRow endLeaseAndTakeOver() throws Exception {
    endLease(id);
    return takeOver().getFirst();
  }

  List<InboxRow> takeOver() throws Exception {
    return inTransaction(tx -> tx.takeOver(ALL, HOUR));
  }

  Set<InboxRow.Id> insert(InboxRow... rows) throws Exception {
    Map<InboxRow, Duration> leases = new LinkedHashMap<>();
    List.of(rows).forEach(row -> leases.put(row, HOUR));
    return inTransaction(tx -> tx.insert(leases));
  }

  Set<InboxRow.Id> complete(InboxRow row, String outcome) throws Exception {
    return inTransaction(tx -> tx.complete(Map.of(row, outcome)));
  }

  Set<InboxRow.Id> postpone(InboxRow row, Duration pause) throws Exception {
    return inTransaction(tx -> tx.postpone(Map.of(row, pause)));
  }

  Set<InboxRow.Id> rest(InboxRow row, Duration pause) throws Exception {
    return inTransaction(tx -> tx.rest(Map.of(row, pause)));
  }

  PendingSteps.Result wake(InboxRow.Id wanted) throws Exception {
    return inTransaction(tx -> tx.wake(wanted));
  }

  InboxRow find(InboxRow.Id wanted) throws Exception {
    return inTransaction(tx -> tx.find(Set.of(wanted))).get(wanted);
  }

  interface Work<T> {
    T in(Tx tx) throws Exception;
  }

  <T> T inTransaction(Work<T> work) throws Exception {
    try (Tx tx = begin()) {
      T result = work.in(tx);
      tx.commit();
      return result;
    }
  }
}
