package io.onceflow.reconciliation.internal.difference;

import static io.onceflow.reconciliation.internal.ListBook.entry;
import static io.onceflow.reconciliation.internal.TestReconciliation.DATABASE;
import static io.onceflow.reconciliation.internal.difference.MendingFixture.AT;
import static io.onceflow.reconciliation.internal.difference.MendingFixture.OLGA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.reconciliation.Difference;
import io.onceflow.reconciliation.Difference.Kind;
import io.onceflow.reconciliation.Difference.Status;
import io.onceflow.reconciliation.internal.TestReconciliation;
import io.onceflow.reconciliation.internal.difference.MendRefused.Because;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MendingTest {

  private final MendingFixture fixture = new MendingFixture();

  @BeforeEach
  void empty() throws SQLException {
    TestReconciliation.empty();
  }

  @Test
  void mendsOnceAndKeepsWhoAndWhy() throws Exception {
    UUID id = fixture.found("stray", Kind.MISSING_HERE);

    Difference mended = fixture.mending.mend(id, OLGA, "ticket 1");

    assertThat(mended.status()).isEqualTo(Status.MENDED);
    assertThat(mended.closedBy()).isEqualTo("olga");
    assertThat(mended.reason()).isEqualTo("ticket 1");
    assertThat(mended.outcome()).isEqualTo("refunded");
    assertThat(fixture.audit()).containsExactly("olga reconciliation-mend");
    assertThatThrownBy(() -> fixture.mending.mend(id, OLGA, "again"))
        .isInstanceOf(MendRefused.class);
    assertThat(fixture.calls).hasSize(1);
  }

  @Test
  void asksAgainUnderTheSameKeyWhereTheResultIsUnknown() throws Exception {
    UUID id = fixture.found("stray", Kind.MISSING_HERE);
    fixture.isDown = true;
    assertThatThrownBy(() -> fixture.mending.mend(id, OLGA, "first"))
        .isInstanceOf(MendRefused.class)
        .hasMessageContaining("ask again");

    fixture.isDown = false;
    fixture.mending.mend(id, OLGA, "second");

    assertThat(fixture.calls).hasSize(2);
    assertThat(fixture.calls.get(0)).isEqualTo(fixture.calls.get(1));
    assertThat(fixture.calls.get(0).stepKey()).isEqualTo("stray:mend@reconciliation/test");
  }

  /** A book is somebody else's code, too. */
  @Test
  void canBeAskedForAgainWhereABookFails() throws Exception {
    UUID id = fixture.found("stray", Kind.MISSING_HERE);
    fixture.theirs.beforeLookingUp =
        () -> {
          throw new IllegalStateException("the answer has no amount");
        };
    assertThatThrownBy(() -> fixture.mending.mend(id, OLGA, "first"))
        .isInstanceOf(MendRefused.class)
        .hasMessageContaining("the answer has no amount")
        .hasMessageContaining("ask again");

    fixture.theirs.beforeLookingUp = () -> {};
    assertThat(fixture.mending.mend(id, OLGA, "second").status()).isEqualTo(Status.MENDED);
  }

  @Test
  void doesNothingWhereTheDifferenceIsGone() throws Exception {
    UUID id = fixture.found("stray", Kind.MISSING_HERE);
    fixture.ours.entries.add(entry("stray", "CHARGED", 500, AT));

    Difference looked = fixture.mending.mend(id, OLGA, "late");

    assertThat(looked.status()).isEqualTo(Status.RESOLVED);
    assertThat(fixture.calls).isEmpty();
  }

  /** Such as a charge whose step was taken up again, and is about to know it. */
  @Test
  void doesNothingWhereASideHasJustChanged() throws Exception {
    UUID id = fixture.found("stray", Kind.MISSING_HERE);
    BookEntry charge = fixture.theirs.entries.removeFirst();
    fixture.theirs.entries.add(charge.withChangedAt(Instant.now()));

    assertThatThrownBy(() -> fixture.mending.mend(id, OLGA, "too early"))
        .hasMessageContaining("may be in progress")
        .asInstanceOf(InstanceOfAssertFactories.type(MendRefused.class))
        .returns(Because.REFUSED, MendRefused::because);
    assertThat(fixture.calls).isEmpty();
    assertThat(fixture.status(id)).isEqualTo(Status.OPEN);

    fixture.theirs.entries.set(0, charge);
    assertThat(fixture.mending.mend(id, OLGA, "later").status()).isEqualTo(Status.MENDED);
  }

  /** Its row is committed with the step's end, so the charge is not marked as under way. */
  @Test
  void doesNothingWhereTheStepEndsWhileTheOtherSideIsAsked() throws Exception {
    UUID id = fixture.found("stray", Kind.MISSING_HERE);
    fixture.theirs.beforeLookingUp =
        () -> fixture.ours.entries.add(entry("stray", "CHARGED", 500, Instant.now()));

    assertThat(fixture.mending.mend(id, OLGA, "refund").status()).isEqualTo(Status.RESOLVED);
    assertThat(fixture.calls).isEmpty();
  }

  /** It may quote what the other system answered. */
  @Test
  void keepsWhyItFailedWhateverThatIs() throws Exception {
    UUID id = fixture.found("stray", Kind.MISSING_HERE);
    fixture.whileCalled =
        () -> {
          throw new IOException("answered 'a\0b'");
        };

    assertThatThrownBy(() -> fixture.mending.mend(id, OLGA, "once"))
        .isInstanceOf(MendRefused.class);

    assertThat(fixture.find(id).outcome()).endsWith("answered 'a\ufffdb'");
  }

  @Test
  void doesNothingWhereAnotherDifferenceHasTakenItsPlace() throws Exception {
    UUID id = fixture.found("stray", Kind.MISSING_HERE);
    fixture.ours.entries.add(entry("stray", "CHARGED", 400, AT));

    assertThat(fixture.mending.mend(id, OLGA, "late").status()).isEqualTo(Status.RESOLVED);
    assertThat(fixture.calls).isEmpty();
  }

  @Test
  void isOpenAgainWhereItIsFoundThoughItWasMended() throws Exception {
    UUID id = fixture.found("stray", Kind.MISSING_HERE);
    fixture.mending.mend(id, OLGA, "once");

    fixture.found("stray", Kind.MISSING_HERE);

    assertThat(fixture.status(id)).isEqualTo(Status.OPEN);
  }

  /** Such as a charge that its bank has taken back meanwhile: no repeat would refund it. */
  @Test
  void canBeDismissedWhereEachMendFails() throws Exception {
    UUID id = fixture.found("stray", Kind.MISSING_HERE);
    fixture.isDown = true;
    assertThatThrownBy(() -> fixture.mending.mend(id, OLGA, "try")).isInstanceOf(MendRefused.class);

    Difference dismissed = fixture.mending.dismiss(id, OLGA, "the bank has taken it back");

    assertThat(dismissed.status()).isEqualTo(Status.DISMISSED);
    assertThat(dismissed.reason()).isEqualTo("the bank has taken it back");
    assertThatThrownBy(() -> fixture.mending.mend(id, OLGA, "again"))
        .isInstanceOf(MendRefused.class);
  }

  @Test
  void leavesToPeopleWhatHasNoMend() throws Exception {
    UUID id = fixture.found("odd", Kind.AMOUNT);

    assertThatThrownBy(() -> fixture.mending.mend(id, OLGA, "try"))
        .hasMessageContaining("there is no mend for it");
    assertThat(fixture.mending.dismiss(id, OLGA, "known").status()).isEqualTo(Status.DISMISSED);
    assertThat(fixture.audit()).containsExactly("olga reconciliation-dismiss");
    assertThatThrownBy(() -> fixture.mending.dismiss(id, OLGA, "again"))
        .isInstanceOf(MendRefused.class);
  }

  @Test
  void staysDismissedUntilASideChanges() throws Exception {
    UUID id = fixture.found("odd", Kind.AMOUNT);
    fixture.mending.dismiss(id, OLGA, "known");
    fixture.theirs.entries.clear();
    fixture.found("odd", Kind.AMOUNT);
    assertThat(fixture.find(id).status()).isEqualTo(Status.DISMISSED);
    assertThat(fixture.find(id).closedBy()).isEqualTo("olga");

    fixture.ours.entries.add(entry("odd", "CHARGED", 1, AT));
    fixture.theirs.entries.clear();
    fixture.found("odd", Kind.AMOUNT);
    assertThat(fixture.status(id)).isEqualTo(Status.OPEN);

    fixture.mending.dismiss(id, OLGA, "known as well");
    fixture.theirs.entries.add(entry("odd", "CHARGED", 2, AT));
    fixture.found("odd", Kind.AMOUNT);
    assertThat(fixture.status(id)).isEqualTo(Status.OPEN);
  }

  /** A run has read it as open, and an operator was faster. */
  @Test
  void staysDismissedThoughARunFindsThatItIsGone() throws Exception {
    UUID id = fixture.found("odd", Kind.AMOUNT);
    fixture.mending.dismiss(id, OLGA, "known");

    DatabaseTransaction.call(
        DATABASE,
        tx -> {
          fixture.table.resolve(tx, id);
          return true;
        });

    assertThat(fixture.status(id)).isEqualTo(Status.DISMISSED);
  }
}
