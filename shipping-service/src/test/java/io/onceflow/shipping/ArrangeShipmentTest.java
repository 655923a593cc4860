package io.onceflow.shipping;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.core.internal.StepKey;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.Rejection;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.participant.CallKey;
import io.onceflow.shipping.domain.ArrangeReturn;
import io.onceflow.shipping.domain.ArrangeShipment;
import io.onceflow.shipping.domain.ArrangeShipment.Address;
import io.onceflow.shipping.domain.ArrangeShipment.Item;
import io.onceflow.shipping.domain.Carrier.Outcome;
import io.onceflow.shipping.domain.RejectReason;
import io.onceflow.shipping.domain.Shipment;
import io.onceflow.shipping.domain.ShipmentReply.ShipmentArranged;
import io.onceflow.shipping.domain.ShipmentReply.ShipmentRejected;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ArrangeShipmentTest {

  private static final Validator VALIDATOR =
      Validation.buildDefaultValidatorFactory().getValidator();

  private final BooksOnPaper carrier = BooksOnPaper.booking();

  @Test
  void booksAnOrderThatHasNoShipment() throws Exception {
    Answer.Reply answer = arrange(carrier);

    assertThat(carrier.asked).containsExactly("book for London as root:arrange-shipment of alice");
    Shipment shipment = (Shipment) answer.rows().getFirst();
    assertThat(shipment.status()).isEqualTo(Shipment.Status.ARRANGED);
    assertThat(shipment.key()).isEqualTo(AnOrder.bookingKey());
    assertThat(answer.body())
        .isEqualTo(new ShipmentArranged(AnOrder.ID, shipment.id(), AnOrder.TRACKING_NUMBER));
  }

  @Test
  void keepsWhyTheCarrierRefused() throws Exception {
    Answer.Reply answer =
        arrange(new BooksOnPaper(new Outcome.Refused(RejectReason.COUNTRY_NOT_SERVED)));

    assertThat(answer.outcome()).isEqualTo(ReplyOutcome.REFUSED);
    assertThat(answer.body()).isEqualTo(AnOrder.shipmentRejected());
    assertThat(((Shipment) answer.rows().getFirst()).status()).isEqualTo(Shipment.Status.REJECTED);
  }

  @Test
  void tellsAnotherRootKeyWhatBecameOfTheOrder() throws Exception {
    assertThat(arrange(carrier, AnOrder.booked()))
        .isEqualTo(Answer.done(AnOrder.shipmentArranged()));
    assertThat(arrange(carrier, AnOrder.rejected()))
        .isEqualTo(Answer.refused(AnOrder.shipmentRejected()));
    assertThat(carrier.asked).isEmpty();
  }

  @Test
  void doesNotBookAgainWhatWasTakenBack() throws Exception {
    assertThat(arrange(carrier, AnOrder.booked().cancelledAt(AnOrder.NOW)))
        .isEqualTo(
            Answer.of(
                ReplyOutcome.CANCELLED, new ShipmentRejected(AnOrder.ID, RejectReason.CANCELLED)));
  }

  /** Two orchestrators may use the same order id, and a saga may ship an order in two steps. */
  @ParameterizedTest
  @CsvSource({"arrange-shipment, shop/sell", "ship-rest, ''"})
  void booksAnotherStepOfTheSameOrder(String step, String origin) throws Exception {
    StepKey other = new StepKey(AnOrder.arrangeKey().root(), step, origin);
    Shipment theirs =
        Shipment.booked(
            AnOrder.SHIPMENT_ID,
            new CallKey("alice", other),
            AnOrder.ID,
            AnOrder.TRACKING_NUMBER,
            AnOrder.NOW);

    arrange(carrier, theirs);

    assertThat(carrier.asked).containsExactly("book for London as root:arrange-shipment of alice");
  }

  @ParameterizedTest
  @EnumSource(Rejection.class)
  void saysWhyItIsNotDone(Rejection why) {
    assertThat(AnOrder.shipments(carrier).notArranged(AnOrder.arrangeShipment(), why))
        .isEqualTo(new ShipmentRejected(AnOrder.ID, RejectReason.valueOf(why.name())));
  }

  @ParameterizedTest
  @CsvSource({"' ', GB", "London, gb", "London, GBR"})
  void refusesAnAddressThatMakesNoSense(String city, String country) {
    Address address = new Address("Ada", "12 Square", city, "SW1Y 4JH", country);
    List<Item> items = AnOrder.arrangeShipment().items();

    assertThat(violated(new ArrangeShipment(AnOrder.ID, items, address))).hasSize(1);
    assertThat(violated(new ArrangeReturn(AnOrder.RETURN, AnOrder.ID, items, address))).hasSize(1);
  }

  @Test
  void refusesToShipNothing() {
    assertThat(violated(new ArrangeShipment(AnOrder.ID, List.of(), AnOrder.address())))
        .containsExactly("items must not be empty");
    assertThat(
            violated(new ArrangeReturn(AnOrder.RETURN, AnOrder.ID, List.of(), AnOrder.address())))
        .containsExactly("items must not be empty");
    List<Item> none = List.of(new Item("BOOK-42", 0));
    assertThat(violated(new ArrangeShipment(AnOrder.ID, none, AnOrder.address())))
        .containsExactly("items[0].quantity must be greater than 0");
    assertThat(violated(AnOrder.arrangeShipment())).isEmpty();
  }

  private static List<String> violated(Object command) {
    return VALIDATOR.validate(command).stream()
        .map(it -> it.getPropertyPath() + " " + it.getMessage())
        .toList();
  }

  private static Answer.Reply arrange(BooksOnPaper carrier, Shipment... ofOrder) throws Exception {
    CallKey key = new CallKey("alice", AnOrder.arrangeKey());
    return (Answer.Reply)
        AnOrder.shipments(carrier).arrange(AnOrder.arrangeShipment(), key, List.of(ofOrder));
  }
}
