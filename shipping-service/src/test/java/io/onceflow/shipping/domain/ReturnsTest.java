package io.onceflow.shipping.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.inbox.Decision;
import io.onceflow.inbox.Found;
import io.onceflow.inbox.NotDone;
import io.onceflow.inbox.ReplyOutcome;
import io.onceflow.shipping.domain.Carrier.Outcome;
import io.onceflow.shipping.domain.ShipmentReply.ReturnArranged;
import io.onceflow.shipping.domain.ShipmentReply.ReturnRejected;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is decided about returns. */
class ReturnsTest {

  private final BooksOnPaper carrier = BooksOnPaper.booking();

  @Test
  void hasAnOrderFetched() throws Exception {
    Decision.Answer<Shipment> answer = arrange(carrier);

    assertThat(carrier.asked)
        .containsExactly("fetch from London as return-root:arrange-return of alice");
    Shipment shipment = answer.rows().getFirst();
    assertThat(shipment.status()).isEqualTo(Shipment.Status.ARRANGED);
    assertThat(shipment.subject()).isEqualTo(AnOrder.RETURN);
    assertThat(shipment.orderId()).isEqualTo(AnOrder.ID);
    assertThat(answer.reply())
        .isEqualTo(
            new ReturnArranged(AnOrder.RETURN, AnOrder.ID, shipment.id(), AnOrder.TRACKING_NUMBER));
  }

  @Test
  void keepsWhyTheCarrierWillNotFetchIt() throws Exception {
    Decision.Answer<Shipment> answer =
        arrange(new BooksOnPaper(new Outcome.Refused(RejectReason.RETURNS_NOT_SERVED)));

    assertThat(answer.reply()).isEqualTo(AnOrder.returnRejected());
    assertThat(answer.rows().getFirst().status()).isEqualTo(Shipment.Status.REJECTED);
  }

  @Test
  void tellsAnotherRootKeyWhatBecameOfTheReturn() {
    assertThat(decideToArrange(new Found.Done<>(AnOrder.returnBooked())))
        .isEqualTo(Decision.reply(AnOrder.returnArranged()));
    assertThat(decideToArrange(new Found.Done<>(AnOrder.returnRefused())))
        .isEqualTo(Decision.refuse(AnOrder.returnRejected()));
    assertThat(decideToArrange(new Found.Done<>(AnOrder.returnBooked().cancelledAt(AnOrder.NOW))))
        .isEqualTo(
            Decision.reply(
                ReplyOutcome.CANCELLED,
                new ReturnRejected(AnOrder.RETURN, AnOrder.ID, RejectReason.CANCELLED)));
  }

  @Test
  void answersCancelledWhenItComesAfterItsCancellation() {
    assertThat(new ArrangeReturn(carrier).notDone(AnOrder.arrangeReturn(), NotDone.CANCELLED))
        .isEqualTo(new ReturnRejected(AnOrder.RETURN, AnOrder.ID, RejectReason.CANCELLED));
  }

  @Test
  void leavesATombstoneWhereNothingWasBooked() {
    assertThat(decideToCancel(new Found.Nothing<>()))
        .isEqualTo(Decision.tombstone("arrange-return").<Shipment>reply(AnOrder.returnCancelled()));
    assertThat(new CancelReturn(carrier).undoes()).contains("arrange-return");
  }

  @Test
  void waitsForABookingThatIsUnderWay() {
    assertThat(decideToCancel(new Found.Running<>())).isEqualTo(Decision.waitFor("arrange-return"));
  }

  @Test
  void takesBackWhatWasBookedUnderTheBookingsOwnKey() throws Exception {
    Decision<Shipment> decision = decideToCancel(new Found.Done<>(AnOrder.returnBooked()));
    Decision.Answer<Shipment> answer =
        ((Decision.CallOut<Shipment>) decision)
            .call()
            .with("alice", AnOrder.returnKey().cancellation().step());

    assertThat(carrier.asked)
        .containsExactly("cancel SIM-0199C3A49051 as return-root:cancel-return of alice");
    assertThat(answer.reply()).isEqualTo(AnOrder.returnCancelled());
    assertThat(answer.rows()).containsExactly(AnOrder.returnBooked().cancelledAt(AnOrder.NOW));
  }

  @Test
  void hasTheCarrierSettleWhatIsInDoubt() throws Exception {
    Decision<Shipment> decision = decideToCancel(new Found.InDoubt<>());
    Decision.Answer<Shipment> answer =
        ((Decision.CallOut<Shipment>) decision).call().with("alice", AnOrder.returnKey().step());

    assertThat(carrier.asked).containsExactly("annul return-root:arrange-return of alice");
    assertThat(answer.reply()).isEqualTo(AnOrder.returnCancelled());
    Shipment settled = answer.rows().getFirst();
    assertThat(settled.status()).isEqualTo(Shipment.Status.CANCELLED);
    assertThat(settled.subject()).isEqualTo(AnOrder.RETURN);
  }

  @Test
  void recognisesItsBookingByTheKeyItWasMadeUnder() {
    CancelReturn cancel = new CancelReturn(carrier);

    assertThat(cancel.wasWrittenBy(AnOrder.returnBooked(), "alice", AnOrder.returnKey().step()))
        .isTrue();
    assertThat(cancel.wasWrittenBy(AnOrder.booked(), "alice", AnOrder.returnKey().step()))
        .isFalse();
  }

  @Test
  void hasNothingToTakeBackOfARefusedReturn() {
    assertThat(decideToCancel(new Found.Done<>(AnOrder.returnRefused())))
        .isEqualTo(Decision.reply(AnOrder.returnCancelled()));
  }

  @Test
  void refusesToFetchNothing() {
    assertThatThrownBy(
            () ->
                new ArrangeReturnCommand(AnOrder.RETURN, AnOrder.ID, List.of(), AnOrder.address()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private Decision<Shipment> decideToArrange(Found<Shipment> found) {
    return new ArrangeReturn(carrier).decide(AnOrder.arrangeReturn(), found, AnOrder.NOW);
  }

  private Decision<Shipment> decideToCancel(Found<Shipment> found) {
    return new CancelReturn(carrier).decide(AnOrder.cancelReturn(), found, AnOrder.NOW);
  }

  private static Decision.Answer<Shipment> arrange(BooksOnPaper carrier) throws Exception {
    Decision<Shipment> decision =
        new ArrangeReturn(carrier)
            .decide(AnOrder.arrangeReturn(), new Found.Nothing<>(), AnOrder.NOW);
    assertThat(carrier.asked).as("asked only once the intent is recorded").isEmpty();
    return ((Decision.CallOut<Shipment>) decision).call().with("alice", AnOrder.returnKey().step());
  }
}
