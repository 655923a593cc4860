package io.onceflow.shipping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.StepKey;
import io.onceflow.participant.Answer;
import io.onceflow.participant.CallKey;
import io.onceflow.shipping.domain.Carrier;
import io.onceflow.shipping.domain.RejectReason;
import io.onceflow.shipping.domain.Shipment;
import io.onceflow.shipping.domain.ShipmentReply.CancellationDeclined;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CancelShipmentTest {

  private final BooksOnPaper carrier = BooksOnPaper.booking();

  @Test
  void takesBackWhatWasBookedUnderTheBookingsOwnKeyWhoeverAsks() throws Exception {
    Answer.Reply answer = cancel("root", AnOrder.booked());
    cancel("another-root", AnOrder.booked());

    assertThat(carrier.asked)
        .hasSize(2)
        .containsOnly("cancel SIM-0199C3A47031 as root:cancel-shipment of alice");
    assertThat(answer)
        .isEqualTo(
            Answer.done(AnOrder.shipmentCancelled())
                .save(AnOrder.booked().cancelledAt(AnOrder.NOW)));
  }

  @Test
  void hasNothingToTakeBackOfARefusedBookingOrASecondTime() throws Exception {
    Answer nothing = Answer.done(AnOrder.shipmentCancelled());

    assertThat(cancel("root", AnOrder.rejected())).isEqualTo(nothing);
    assertThat(cancel("root", AnOrder.booked().cancelledAt(AnOrder.NOW))).isEqualTo(nothing);
    assertThat(carrier.asked).isEmpty();
    assertThatThrownBy(() -> AnOrder.rejected().cancelledAt(AnOrder.NOW))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("REJECTED");
  }

  @Test
  void saysThatNothingIsBookedWhereNothingWas() {
    assertThat(AnOrder.shipments(carrier).nothingBooked(AnOrder.cancelShipment()))
        .isEqualTo(AnOrder.shipmentCancelled());
  }

  @Test
  void hasTheCarrierSettleABookingWhoseResultIsUnknown() throws Exception {
    Answer.Reply answer = cancel("root", null);

    assertThat(carrier.asked).containsExactly("annul root:arrange-shipment of alice");
    assertThat(answer.body()).isEqualTo(AnOrder.shipmentCancelled());
    assertThat(((Shipment) answer.rows().getFirst()).status()).isEqualTo(Shipment.Status.CANCELLED);
  }

  @Test
  void writesNothingDownWhenTheCarrierKnowsOfNoBooking() throws Exception {
    BooksOnPaper empty =
        new BooksOnPaper(new Carrier.Outcome.Refused(RejectReason.COUNTRY_NOT_SERVED));

    assertThat(cancel(empty, "root", null)).isEqualTo(Answer.done(AnOrder.shipmentCancelled()));
  }

  /** An exception would be tried again for ever, and count against the cancellations of others. */
  @Test
  void answersWhyTheCarrierDoesNotTakeTheBookingBack() throws Exception {
    BooksOnPaper refusing = BooksOnPaper.refusingCancellations("rejected");
    Answer declined = Answer.refused(new CancellationDeclined(AnOrder.ID, "rejected"));

    assertThat(cancel(refusing, "root", AnOrder.booked())).isEqualTo(declined);
    assertThat(cancel(refusing, "root", null)).isEqualTo(declined);
  }

  @Test
  void isGivenTheShipmentThatItsBookingHasWritten() {
    ShipmentTable table = new ShipmentTable();
    StepKey booking = AnOrder.booked().key().step();

    assertThat(table.wasWrittenBy(AnOrder.booked(), "alice", booking)).isTrue();
    assertThat(table.wasWrittenBy(AnOrder.booked(), "bob", booking)).isFalse();
    assertThat(table.wasWrittenBy(AnOrder.booked(), "alice", AnOrder.returnKey().step())).isFalse();
  }

  private Answer.Reply cancel(String root, Shipment shipment) throws Exception {
    return cancel(carrier, root, shipment);
  }

  private static Answer.Reply cancel(BooksOnPaper carrier, String root, Shipment shipment)
      throws Exception {
    StepKey own = new StepKey(new IdempotencyKey(root), "cancel-shipment");
    return (Answer.Reply)
        AnOrder.shipments(carrier)
            .cancel(
                AnOrder.cancelShipment(),
                new CallKey("alice", own),
                new CallKey("alice", own.sibling("arrange-shipment")),
                Optional.ofNullable(shipment));
  }
}
