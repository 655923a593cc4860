package io.onceflow.shipping.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.inbox.Decision;
import io.onceflow.inbox.Found;
import io.onceflow.inbox.NotDone;
import io.onceflow.inbox.ReplyOutcome;
import io.onceflow.shipping.domain.ArrangeShipmentCommand.Address;
import io.onceflow.shipping.domain.ArrangeShipmentCommand.Item;
import io.onceflow.shipping.domain.Carrier.Outcome;
import io.onceflow.shipping.domain.ShipmentReply.ShipmentArranged;
import io.onceflow.shipping.domain.ShipmentReply.ShipmentRejected;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ArrangeShipmentTest {

  private final BooksOnPaper carrier = BooksOnPaper.booking();

  @Test
  void booksAnOrderThatHasNoShipment() throws Exception {
    Decision.Answer<Shipment> answer = callOut(carrier);

    assertThat(carrier.asked).containsExactly("book for London as root:arrange-shipment of alice");
    Shipment shipment = answer.rows().getFirst();
    assertThat(shipment.status()).isEqualTo(Shipment.Status.ARRANGED);
    assertThat(shipment.key()).isEqualTo(AnOrder.bookingKey());
    assertThat(answer.reply())
        .isEqualTo(new ShipmentArranged(AnOrder.ID, shipment.id(), AnOrder.TRACKING_NUMBER));
  }

  @Test
  void keepsWhyTheCarrierRefused() throws Exception {
    Decision.Answer<Shipment> answer =
        callOut(new BooksOnPaper(new Outcome.Refused(RejectReason.COUNTRY_NOT_SERVED)));

    assertThat(answer.reply()).isEqualTo(AnOrder.shipmentRejected());
    assertThat(answer.rows().getFirst().status()).isEqualTo(Shipment.Status.REJECTED);
  }

  @Test
  void tellsAnotherRootKeyWhatBecameOfTheOrder() {
    assertThat(decide(new Found.Done<>(AnOrder.booked())))
        .isEqualTo(Decision.reply(AnOrder.shipmentArranged()));
    assertThat(decide(new Found.Done<>(AnOrder.rejected())))
        .isEqualTo(Decision.refuse(AnOrder.shipmentRejected()));
  }

  @Test
  void doesNotBookAgainWhatWasTakenBack() {
    assertThat(decide(new Found.Done<>(AnOrder.booked().cancelledAt(AnOrder.NOW))))
        .isEqualTo(
            Decision.reply(
                ReplyOutcome.CANCELLED, new ShipmentRejected(AnOrder.ID, RejectReason.CANCELLED)));
  }

  @ParameterizedTest
  @EnumSource(NotDone.class)
  void saysWhyItIsNotDone(NotDone why) {
    assertThat(new ArrangeShipment(carrier).notDone(AnOrder.arrangeShipment(), why))
        .isEqualTo(new ShipmentRejected(AnOrder.ID, RejectReason.valueOf(why.name())));
  }

  @ParameterizedTest
  @CsvSource({"' ', GB", "London, gb", "London, GBR"})
  void refusesAnAddressThatMakesNoSense(String city, String country) {
    assertThatThrownBy(() -> new Address("Ada", "12 Square", city, "SW1Y 4JH", country))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesToShipNothing() {
    assertThatThrownBy(() -> new ArrangeShipmentCommand(AnOrder.ID, List.of(), AnOrder.address()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Item("BOOK-42", 0)).isInstanceOf(IllegalArgumentException.class);
  }

  private Decision<Shipment> decide(Found<Shipment> found) {
    return new ArrangeShipment(carrier).decide(AnOrder.arrangeShipment(), found, AnOrder.NOW);
  }

  private static Decision.Answer<Shipment> callOut(BooksOnPaper carrier) throws Exception {
    Decision<Shipment> decision =
        new ArrangeShipment(carrier)
            .decide(AnOrder.arrangeShipment(), new Found.Nothing<>(), AnOrder.NOW);
    assertThat(carrier.asked).as("asked only once the intent is recorded").isEmpty();
    assertThat(decision).isInstanceOf(Decision.CallOut.class);
    return ((Decision.CallOut<Shipment>) decision).call().with("alice", AnOrder.arrangeKey());
  }
}
