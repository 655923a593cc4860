package io.onceflow.shipping.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.StepKey;
import io.onceflow.inbox.Decision;
import io.onceflow.inbox.Found;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CancelShipmentTest {

  private static final Instant LATER = AnOrder.NOW.plusSeconds(60);

  private final BooksOnPaper carrier = BooksOnPaper.booking();
  private final CancelShipment handler = new CancelShipment(carrier);

  @Test
  void leavesATombstoneWhereNothingWasBooked() {
    assertThat(decide(new Found.Nothing<>()))
        .isEqualTo(
            Decision.tombstone("arrange-shipment").<Shipment>reply(AnOrder.shipmentCancelled()));
    assertThat(handler.undoes()).contains("arrange-shipment");
  }

  @Test
  void waitsForABookingThatIsUnderWay() {
    assertThat(decide(new Found.Running<>())).isEqualTo(Decision.waitFor("arrange-shipment"));
  }

  @Test
  void takesBackWhatWasBookedUnderTheBookingsOwnKeyWhoeverAsks() throws Exception {
    Decision.Answer<Shipment> answer = callOut("root");
    callOut("another-root");

    assertThat(carrier.asked)
        .hasSize(2)
        .containsOnly("cancel SIM-0199C3A47031 as root:cancel-shipment of alice");
    assertThat(answer.reply()).isEqualTo(AnOrder.shipmentCancelled());
    assertThat(answer.rows()).containsExactly(AnOrder.booked().cancelledAt(LATER));
  }

  @Test
  void hasNothingToTakeBackOfARefusedBookingOrASecondTime() {
    assertThat(decide(new Found.Done<>(AnOrder.rejected())))
        .isEqualTo(Decision.reply(AnOrder.shipmentCancelled()));
    assertThat(decide(new Found.Done<>(AnOrder.booked().cancelledAt(AnOrder.NOW))))
        .isEqualTo(Decision.reply(AnOrder.shipmentCancelled()));
    assertThatThrownBy(() -> AnOrder.rejected().cancelledAt(LATER))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("REJECTED");
  }

  @Test
  void hasTheCarrierSettleABookingOfWhichNobodyKnows() throws Exception {
    Decision.Answer<Shipment> answer = callOut("root", new Found.InDoubt<>());

    assertThat(carrier.asked).containsExactly("annul root:arrange-shipment of alice");
    assertThat(answer.reply()).isEqualTo(AnOrder.shipmentCancelled());
    assertThat(answer.rows())
        .extracting(Shipment::status)
        .containsExactly(Shipment.Status.CANCELLED);
  }

  @Test
  void knowsTheShipmentThatItsBookingHasWritten() {
    StepKey booking = AnOrder.booked().key().step();

    assertThat(handler.wasWrittenBy(AnOrder.booked(), "alice", booking)).isTrue();
    assertThat(handler.wasWrittenBy(AnOrder.booked(), "bob", booking)).isFalse();
  }

  private Decision.Answer<Shipment> callOut(String root) throws Exception {
    return callOut(root, new Found.Done<>(AnOrder.booked()));
  }

  private Decision.Answer<Shipment> callOut(String root, Found<Shipment> booking) throws Exception {
    Decision<Shipment> decision = decide(booking);
    assertThat(decision).isInstanceOf(Decision.CallOut.class);
    Decision.CallOut<Shipment> out = (Decision.CallOut<Shipment>) decision;
    String step = out.isUndoing() ? "arrange-shipment" : "cancel-shipment";
    return out.call().with("alice", new StepKey(new IdempotencyKey(root), step));
  }

  private Decision<Shipment> decide(Found<Shipment> booking) {
    return handler.decide(AnOrder.cancelShipment(), booking, LATER);
  }
}
