package io.onceflow.shipping;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.Rejection;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.participant.CallKey;
import io.onceflow.shipping.domain.Carrier;
import io.onceflow.shipping.domain.Carrier.Outcome;
import io.onceflow.shipping.domain.RejectReason;
import io.onceflow.shipping.domain.Shipment;
import io.onceflow.shipping.domain.ShipmentReply.ReturnArranged;
import io.onceflow.shipping.domain.ShipmentReply.ReturnRejected;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is decided about returns. */
class ReturnsTest {

  private final BooksOnPaper carrier = BooksOnPaper.booking();

  @Test
  void hasAnOrderFetched() throws Exception {
    Answer.Reply answer = fetch(carrier);

    assertThat(carrier.asked)
        .containsExactly("fetch from London as return-root:arrange-return of alice");
    Shipment shipment = (Shipment) answer.rows().getFirst();
    assertThat(shipment.status()).isEqualTo(Shipment.Status.ARRANGED);
    assertThat(shipment.subject()).isEqualTo(AnOrder.RETURN);
    assertThat(shipment.orderId()).isEqualTo(AnOrder.ID);
    assertThat(answer.body())
        .isEqualTo(
            new ReturnArranged(AnOrder.RETURN, AnOrder.ID, shipment.id(), AnOrder.TRACKING_NUMBER));
  }

  @Test
  void keepsWhyTheCarrierWillNotFetchIt() throws Exception {
    Answer.Reply answer =
        fetch(new BooksOnPaper(new Outcome.Refused(RejectReason.RETURNS_NOT_SERVED)));

    assertThat(answer.body()).isEqualTo(AnOrder.returnRejected());
    assertThat(((Shipment) answer.rows().getFirst()).status()).isEqualTo(Shipment.Status.REJECTED);
  }

  @Test
  void tellsAnotherRootKeyWhatBecameOfTheReturn() throws Exception {
    assertThat(fetch(carrier, AnOrder.returnBooked()))
        .isEqualTo(Answer.done(AnOrder.returnArranged()));
    assertThat(fetch(carrier, AnOrder.returnRefused()))
        .isEqualTo(Answer.refused(AnOrder.returnRejected()));
    assertThat(fetch(carrier, AnOrder.returnBooked().cancelledAt(AnOrder.NOW)))
        .isEqualTo(
            Answer.of(
                ReplyOutcome.CANCELLED,
                new ReturnRejected(AnOrder.RETURN, AnOrder.ID, RejectReason.CANCELLED)));
    assertThat(carrier.asked).isEmpty();
  }

  @Test
  void answersCancelledWhenItComesAfterItsCancellation() {
    assertThat(AnOrder.shipments(carrier).notFetched(AnOrder.arrangeReturn(), Rejection.CANCELLED))
        .isEqualTo(new ReturnRejected(AnOrder.RETURN, AnOrder.ID, RejectReason.CANCELLED));
  }

  @Test
  void takesBackWhatWasBookedUnderTheBookingsOwnKey() throws Exception {
    Answer.Reply answer = cancel(Optional.of(AnOrder.returnBooked()));

    assertThat(carrier.asked)
        .containsExactly("cancel SIM-0199C3A49051 as return-root:cancel-return of alice");
    assertThat(answer)
        .isEqualTo(
            Answer.done(AnOrder.returnCancelled())
                .save(AnOrder.returnBooked().cancelledAt(AnOrder.NOW)));
  }

  @Test
  void hasTheCarrierSettleWhatIsInDoubt() throws Exception {
    Answer.Reply answer = cancel(Optional.empty());

    assertThat(carrier.asked).containsExactly("annul return-root:arrange-return of alice");
    assertThat(answer.body()).isEqualTo(AnOrder.returnCancelled());
    Shipment settled = (Shipment) answer.rows().getFirst();
    assertThat(settled.status()).isEqualTo(Shipment.Status.CANCELLED);
    assertThat(settled.subject()).isEqualTo(AnOrder.RETURN);
  }

  @Test
  void hasNothingToTakeBackOfARefusedReturn() throws Exception {
    assertThat(cancel(Optional.of(AnOrder.returnRefused())))
        .isEqualTo(Answer.done(AnOrder.returnCancelled()));
    assertThat(AnOrder.shipments(carrier).nothingToFetch(AnOrder.cancelReturn()))
        .isEqualTo(AnOrder.returnCancelled());
    assertThat(carrier.asked).isEmpty();
  }

  private static Answer.Reply fetch(BooksOnPaper carrier, Shipment... ofReturn) throws Exception {
    CallKey key = new CallKey("alice", AnOrder.returnKey().step());
    return (Answer.Reply)
        AnOrder.shipments(carrier).fetch(AnOrder.arrangeReturn(), key, List.of(ofReturn));
  }

  private Answer.Reply cancel(Optional<Shipment> shipment) throws Exception {
    return (Answer.Reply)
        AnOrder.shipments(carrier)
            .cancelReturn(
                AnOrder.cancelReturn(),
                new CallKey("alice", Carrier.cancellationOf(AnOrder.returnKey()).step()),
                new CallKey("alice", AnOrder.returnKey().step()),
                shipment);
  }
}
