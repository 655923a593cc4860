package io.onceflow.reconciliation.internal.difference;

import static io.onceflow.reconciliation.internal.ListBook.entry;
import static io.onceflow.reconciliation.internal.TestReconciliation.DATABASE;
import static io.onceflow.reconciliation.internal.TestReconciliation.JSON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.inbox.internal.audit.AuditedTransaction;
import io.onceflow.inbox.internal.parking.RedriveCheck.Operator;
import io.onceflow.participant.CallKey;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.reconciliation.Difference;
import io.onceflow.reconciliation.Difference.Kind;
import io.onceflow.reconciliation.Difference.Status;
import io.onceflow.reconciliation.Mend;
import io.onceflow.reconciliation.internal.ListBook;
import io.onceflow.reconciliation.internal.TestReconciliation;
import io.onceflow.reconciliation.internal.difference.MendRefused.Because;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MendingTest {

  private static final Operator OLGA = new Operator("olga", "a token");
  private static final Instant AT = Instant.parse("2025-03-14T12:00:00Z");

  private final ListBook ours = new ListBook();
  private final ListBook theirs = new ListBook();
  private final DifferenceTable table = new DifferenceTable(JSON);
  private final List<CallKey> calls = new CopyOnWriteArrayList<>();
  private boolean isDown;
  private Meanwhile whileCalled = () -> {};
  private final Mending mending =
      new Mending(
          DATABASE,
          table,
          (comparison, token) -> new BothBooks(ours, theirs),
          comparison -> Optional.of(refund()),
          Duration.ofHours(1));

  /** What happens while the other system is called. */
  private interface Meanwhile {
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

  @BeforeEach
  void empty() throws SQLException {
    TestReconciliation.empty();
  }

  private UUID found(String reference, Kind kind) throws SQLException {
    theirs.entries.add(entry(reference, "CHARGED", 500, AT));
    AuditedTransaction.call(
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
    return AuditedTransaction.call(
            DATABASE, tx -> table.newest(tx, new DifferenceFilter(null, null, null, null), 1))
        .getFirst()
        .id();
  }

  private List<String> audit() throws SQLException {
    return AuditedTransaction.call(
        DATABASE,
        tx ->
            Sql.query(
                tx,
                "SELECT actor || ' ' || action AS act FROM operator_audit ORDER BY seq",
                row -> String.valueOf(row.text("act"))));
  }

  @Test
  void mendsOnceAndKeepsWhoAndWhy() throws Exception {
    UUID id = found("stray", Kind.MISSING_HERE);

    Difference mended = mending.mend(id, OLGA, "ticket 1");

    assertThat(mended.status()).isEqualTo(Status.MENDED);
    assertThat(mended.closedBy()).isEqualTo("olga");
    assertThat(mended.reason()).isEqualTo("ticket 1");
    assertThat(mended.outcome()).isEqualTo("refunded");
    assertThat(audit()).containsExactly("olga reconciliation-mend");
    assertThatThrownBy(() -> mending.mend(id, OLGA, "again")).isInstanceOf(MendRefused.class);
    assertThat(calls).hasSize(1);
  }

  @Test
  void asksAgainUnderTheSameKeyWhereTheResultIsUnknown() throws Exception {
    UUID id = found("stray", Kind.MISSING_HERE);
    isDown = true;
    assertThatThrownBy(() -> mending.mend(id, OLGA, "first"))
        .isInstanceOf(MendRefused.class)
        .hasMessageContaining("ask again");

    isDown = false;
    mending.mend(id, OLGA, "second");

    assertThat(calls).hasSize(2);
    assertThat(calls.get(0)).isEqualTo(calls.get(1));
    assertThat(calls.get(0).stepKey()).isEqualTo("stray:mend@reconciliation/test");
  }

  /** A book is somebody else's code, too. */
  @Test
  void canBeAskedForAgainWhereABookFails() throws Exception {
    UUID id = found("stray", Kind.MISSING_HERE);
    theirs.beforeLookingUp =
        () -> {
          throw new IllegalStateException("the answer has no amount");
        };
    assertThatThrownBy(() -> mending.mend(id, OLGA, "first"))
        .isInstanceOf(MendRefused.class)
        .hasMessageContaining("the answer has no amount")
        .hasMessageContaining("ask again");

    theirs.beforeLookingUp = () -> {};
    assertThat(mending.mend(id, OLGA, "second").status()).isEqualTo(Status.MENDED);
  }

  @Test
  void isRefusedWhileAnotherMendIsUnderWay() throws Exception {
    UUID id = found("stray", Kind.MISSING_HERE);
    TestReconciliation.execute(
        "UPDATE reconciliation_difference SET status = 'MENDING', mending_until = now() + interval"
            + " '1 min'");

    assertThatThrownBy(() -> mending.mend(id, OLGA, "too"))
        .hasMessageContaining("a mend of it is under way");
    assertThat(calls).isEmpty();
  }

  @Test
  void doesNothingWhereTheDifferenceIsGone() throws Exception {
    UUID id = found("stray", Kind.MISSING_HERE);
    ours.entries.add(entry("stray", "CHARGED", 500, AT));

    Difference looked = mending.mend(id, OLGA, "late");

    assertThat(looked.status()).isEqualTo(Status.RESOLVED);
    assertThat(calls).isEmpty();
  }

  /** The first one calls the other system; the second one is pressed meanwhile. */
  @Test
  void isCarriedOutOnceThoughItIsPressedTwice() throws Exception {
    UUID id = found("stray", Kind.MISSING_HERE);
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    whileCalled =
        () -> {
          called.countDown();
          answered.await();
        };
    FutureTask<Difference> first = new FutureTask<>(() -> mending.mend(id, OLGA, "first"));
    Thread.ofVirtual().start(first);
    called.await();

    assertThatThrownBy(() -> mending.mend(id, OLGA, "second"))
        .hasMessageContaining("a mend of it is under way");
    answered.countDown();

    assertThat(first.get().status()).isEqualTo(Status.MENDED);
    assertThat(calls).hasSize(1);
  }

  /** Its process stood still for longer than its lease. */
  @Test
  void doesNotEndAnotherMendThatHasBegunMeanwhile() throws Exception {
    UUID id = found("stray", Kind.MISSING_HERE);
    whileCalled =
        () -> {
          leaseEnds();
          begin(id);
          throw new IOException("no answer");
        };

    assertThatThrownBy(() -> mending.mend(id, OLGA, "first")).isInstanceOf(MendRefused.class);

    assertThatThrownBy(() -> mending.dismiss(id, OLGA, "not yet"))
        .hasMessageContaining("it is MENDING");
  }

  @Test
  void recordsNothingOfAMendOnceAnotherOneHasBegun() throws Exception {
    UUID id = found("stray", Kind.MISSING_HERE);
    whileCalled =
        () -> {
          leaseEnds();
          begin(id);
        };

    assertThat(mending.mend(id, OLGA, "first").status()).isEqualTo(Status.MENDING);
    assertThat(find(id).outcome()).isNull();
  }

  private static void leaseEnds() throws SQLException {
    TestReconciliation.execute(
        "UPDATE reconciliation_difference SET mending_until = now() - interval '1 s'");
  }

  private static void begin(UUID id) throws SQLException {
    Optional<Instant> until =
        AuditedTransaction.call(
            DATABASE, tx -> DifferenceTable.beginMend(tx, id, "second", Duration.ofMinutes(2)));
    assertThat(until).isPresent();
  }

  /** Such as a charge whose step was taken up again, and is about to know it. */
  @Test
  void doesNothingWhereASideHasJustChanged() throws Exception {
    UUID id = found("stray", Kind.MISSING_HERE);
    BookEntry charge = theirs.entries.removeFirst();
    theirs.entries.add(charge.withChangedAt(Instant.now()));

    assertThatThrownBy(() -> mending.mend(id, OLGA, "too early"))
        .hasMessageContaining("may be under way")
        .asInstanceOf(InstanceOfAssertFactories.type(MendRefused.class))
        .returns(Because.REFUSED, MendRefused::because);
    assertThat(calls).isEmpty();
    assertThat(status(id)).isEqualTo(Status.OPEN);

    theirs.entries.set(0, charge);
    assertThat(mending.mend(id, OLGA, "later").status()).isEqualTo(Status.MENDED);
  }

  /** It may quote what the other system answered. */
  @Test
  void keepsWhyItFailedWhateverThatIs() throws Exception {
    UUID id = found("stray", Kind.MISSING_HERE);
    whileCalled =
        () -> {
          throw new IOException("answered 'a\0b'");
        };

    assertThatThrownBy(() -> mending.mend(id, OLGA, "once")).isInstanceOf(MendRefused.class);

    assertThat(find(id).outcome()).endsWith("answered 'a\ufffdb'");
  }

  @Test
  void staysUnderWayThoughARunFindsItAgain() throws Exception {
    UUID id = found("stray", Kind.MISSING_HERE);
    whileCalled = () -> found("stray", Kind.MISSING_HERE);

    assertThat(mending.mend(id, OLGA, "once").status()).isEqualTo(Status.MENDED);
    assertThat(calls).hasSize(1);
  }

  @Test
  void doesNothingWhereAnotherDifferenceHasTakenItsPlace() throws Exception {
    UUID id = found("stray", Kind.MISSING_HERE);
    ours.entries.add(entry("stray", "CHARGED", 400, AT));

    assertThat(mending.mend(id, OLGA, "late").status()).isEqualTo(Status.RESOLVED);
    assertThat(calls).isEmpty();
  }

  @Test
  void isOpenAgainWhereItIsFoundThoughItWasMended() throws Exception {
    UUID id = found("stray", Kind.MISSING_HERE);
    mending.mend(id, OLGA, "once");

    found("stray", Kind.MISSING_HERE);

    assertThat(status(id)).isEqualTo(Status.OPEN);
  }

  /** Such as a charge that its bank has taken back meanwhile: no repeat would refund it. */
  @Test
  void canBeDismissedWhereEachMendFails() throws Exception {
    UUID id = found("stray", Kind.MISSING_HERE);
    isDown = true;
    assertThatThrownBy(() -> mending.mend(id, OLGA, "try")).isInstanceOf(MendRefused.class);

    Difference dismissed = mending.dismiss(id, OLGA, "the bank has taken it back");

    assertThat(dismissed.status()).isEqualTo(Status.DISMISSED);
    assertThat(dismissed.reason()).isEqualTo("the bank has taken it back");
    assertThatThrownBy(() -> mending.mend(id, OLGA, "again")).isInstanceOf(MendRefused.class);
  }

  @Test
  void isNotDismissedWhileAMendIsUnderWay() throws Exception {
    UUID id = found("stray", Kind.MISSING_HERE);
    whileCalled =
        () ->
            assertThatThrownBy(() -> mending.dismiss(id, OLGA, "meanwhile"))
                .hasMessageContaining("it is MENDING");

    assertThat(mending.mend(id, OLGA, "once").status()).isEqualTo(Status.MENDED);
  }

  @Test
  void leavesToPeopleWhatHasNoMend() throws Exception {
    UUID id = found("odd", Kind.AMOUNT);

    assertThatThrownBy(() -> mending.mend(id, OLGA, "try"))
        .hasMessageContaining("there is no mend for it");
    assertThat(mending.dismiss(id, OLGA, "known").status()).isEqualTo(Status.DISMISSED);
    assertThat(audit()).containsExactly("olga reconciliation-dismiss");
    assertThatThrownBy(() -> mending.dismiss(id, OLGA, "again")).isInstanceOf(MendRefused.class);
  }

  @Test
  void staysDismissedUntilASideChanges() throws Exception {
    UUID id = found("odd", Kind.AMOUNT);
    mending.dismiss(id, OLGA, "known");
    theirs.entries.clear();
    found("odd", Kind.AMOUNT);
    assertThat(find(id).status()).isEqualTo(Status.DISMISSED);
    assertThat(find(id).closedBy()).isEqualTo("olga");

    ours.entries.add(entry("odd", "CHARGED", 1, AT));
    theirs.entries.clear();
    found("odd", Kind.AMOUNT);
    assertThat(status(id)).isEqualTo(Status.OPEN);

    mending.dismiss(id, OLGA, "known as well");
    theirs.entries.add(entry("odd", "CHARGED", 2, AT));
    found("odd", Kind.AMOUNT);
    assertThat(status(id)).isEqualTo(Status.OPEN);
  }

  /** A run has read it as open, and an operator was faster. */
  @Test
  void staysDismissedThoughARunFindsThatItIsGone() throws Exception {
    UUID id = found("odd", Kind.AMOUNT);
    mending.dismiss(id, OLGA, "known");

    AuditedTransaction.call(
        DATABASE,
        tx -> {
          table.resolve(tx, id);
          return true;
        });

    assertThat(status(id)).isEqualTo(Status.DISMISSED);
  }

  private Status status(UUID id) throws SQLException {
    return find(id).status();
  }

  private Difference find(UUID id) throws SQLException {
    return AuditedTransaction.call(DATABASE, tx -> table.find(tx, id)).orElseThrow();
  }
}
