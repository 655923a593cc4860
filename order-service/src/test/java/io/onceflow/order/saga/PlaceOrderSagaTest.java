package io.onceflow.order.saga;

import static io.onceflow.order.saga.AnOrder.paymentDeclined;
import static io.onceflow.order.saga.AnOrder.paymentProcessed;
import static io.onceflow.order.saga.AnOrder.paymentRefunded;
import static io.onceflow.order.saga.AnOrder.shipmentArranged;
import static io.onceflow.order.saga.AnOrder.shipmentRejected;
import static io.onceflow.saga.SagaStatus.COMPENSATED;
import static io.onceflow.saga.SagaStatus.COMPLETED;
import static io.onceflow.saga.testing.ExpectedCommand.command;
import static io.onceflow.saga.testing.SagaDialogue.given;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.order.domain.Order;
import io.onceflow.order.domain.OrderStatus;
import io.onceflow.order.domain.Payment;
import io.onceflow.order.domain.Shipment;
import io.onceflow.saga.testing.SagaDialogue;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlaceOrderSagaTest {

  @Test
  void confirmsAnOrderThatIsPaidAndArranged() {
    PlaceOrder placed =
        orderPlaced()
            .expect(command("process-payment"))
            .on(paymentProcessed())
            .expect(command("arrange-shipment"))
            .on(shipmentArranged())
            .expectEnd(COMPLETED)
            .subject();

    Order order = placed.order();
    assertThat(order.status()).isEqualTo(OrderStatus.CONFIRMED);
    assertThat(order.payment()).extracting(Payment::status).isEqualTo(Payment.Status.PROCESSED);
    assertThat(order.shipment()).extracting(Shipment::trackingNumber).isEqualTo("SIM-0199C3A47031");
    assertThat(placed.raised()).containsExactly(new OrderEvent.OrderConfirmed(AnOrder.ID));
  }

  @Test
  void cancelsAnOrderWhosePaymentIsDeclinedAndShipsNothing() {
    PlaceOrder placed =
        orderPlaced()
            .expect(command("process-payment"))
            .on(paymentDeclined())
            .expectEnd(COMPENSATED)
            .subject();

    assertThat(placed.order().status()).isEqualTo(OrderStatus.CANCELLED);
    assertThat(placed.order().cancellationReason()).isEqualTo("PAYMENT_DECLINED");
    assertThat(placed.order().shipment()).isNull();
    assertThat(placed.raised())
        .containsExactly(new OrderEvent.OrderCancelled(AnOrder.ID, "PAYMENT_DECLINED"));
  }

  @Test
  void refundsThePaymentOfAnOrderWhoseShipmentIsRejected() {
    Order order =
        orderPlaced()
            .expect(command("process-payment"))
            .on(paymentProcessed())
            .expect(command("arrange-shipment"))
            .on(shipmentRejected())
            .expect(command("refund-payment"))
            .on(paymentRefunded())
            .expectEnd(COMPENSATED)
            .expectHistory(
                "refused arrange-shipment ShipmentRejected: SHIPMENT_REJECTED",
                "compensation-sent process-payment refund-payment",
                "compensated process-payment PaymentRefunded",
                "saga-compensated SHIPMENT_REJECTED")
            .subject()
            .order();

    assertThat(order.status()).isEqualTo(OrderStatus.CANCELLED);
    assertThat(order.cancellationReason()).isEqualTo("SHIPMENT_REJECTED");
    assertThat(order.payment()).extracting(Payment::status).isEqualTo(Payment.Status.REFUNDED);
  }

  @Test
  void asksAgainUnderTheSameKeyWhenNobodyAnswers() {
    orderPlaced()
        .expect(command("process-payment"))
        .after(ofSeconds(10))
        .expect(command("process-payment").again())
        .on(paymentProcessed())
        .expect(command("arrange-shipment"))
        .after(ofSeconds(10))
        .expect(command("arrange-shipment").again());
  }

  @Test
  void answersThatComeTwiceChangeNothing() {
    orderPlaced()
        .expect(command("process-payment"))
        .on(paymentProcessed())
        .expect(command("arrange-shipment"))
        .on(paymentProcessed())
        .expectNothingMore()
        .on(shipmentArranged())
        .expectEnd(COMPLETED)
        .on(shipmentRejected())
        .expectEnd(COMPLETED)
        .expectHistory(
            "reply-ignored arrange-shipment ShipmentRejected: arrange-shipment is SUCCEEDED");
  }

  @Test
  void tellsThatAnOrderWasCreated() {
    assertThat(PlaceOrder.created(AnOrder.placed()).raised())
        .isEqualTo(
            List.of(
                new OrderEvent.OrderCreated(
                    AnOrder.ID, "alice", 2500, "EUR", AnOrder.placed().items())));
  }

  private static SagaDialogue<PlaceOrder> orderPlaced() {
    return given(PlaceOrderSaga.DEFINITION).started(PlaceOrder.of(AnOrder.placed()));
  }
}
