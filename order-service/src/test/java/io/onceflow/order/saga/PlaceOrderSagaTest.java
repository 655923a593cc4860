package io.onceflow.order.saga;

import static io.onceflow.order.saga.AnOrder.paymentDeclined;
import static io.onceflow.order.saga.AnOrder.paymentProcessed;
import static io.onceflow.order.saga.AnOrder.paymentRefunded;
import static io.onceflow.order.saga.AnOrder.shipmentArranged;
import static io.onceflow.order.saga.AnOrder.shipmentCancelled;
import static io.onceflow.order.saga.AnOrder.shipmentRejected;
import static io.onceflow.participant.Answer.ReplyOutcome.EXPIRED;
import static io.onceflow.participant.Answer.ReplyOutcome.UNAVAILABLE;
import static io.onceflow.saga.Saga.CancelOutcome.CANCELLED;
import static io.onceflow.saga.Saga.CancelOutcome.COMPENSATING;
import static io.onceflow.saga.Saga.CancelOutcome.TOO_LATE;
import static io.onceflow.saga.Saga.SagaStatus.COMPENSATED;
import static io.onceflow.saga.Saga.SagaStatus.COMPLETED;
import static io.onceflow.test.ExpectedCommand.command;
import static io.onceflow.test.SagaDialogue.given;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.order.domain.Order;
import io.onceflow.order.domain.OrderStatus;
import io.onceflow.order.domain.Payment;
import io.onceflow.order.domain.Shipment;
import io.onceflow.test.SagaDialogue;
import java.util.Collections;
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
        .expectParked(shipmentRejected(), "arrange-shipment has another answer, which stands")
        .expectEnd(COMPLETED);
  }

  @Test
  void refundsAPaymentOfWhichNobodyKnowsWhetherItWasMade() {
    Order order =
        orderPlaced()
            .expect(command("process-payment"))
            .on(new OrderReply.PaymentDeclined(AnOrder.ID, "UNAVAILABLE"), UNAVAILABLE)
            .expect(command("refund-payment"))
            .on(new OrderReply.PaymentRefunded(AnOrder.ID, 0))
            .expectEnd(COMPENSATED)
            .subject()
            .order();

    assertThat(order.status()).isEqualTo(OrderStatus.CANCELLED);
    assertThat(order.cancellationReason()).isEqualTo("PAYMENT_UNAVAILABLE");
    assertThat(order.payment()).as("it was neither made nor declined").isNull();
  }

  @Test
  void takesBackAShipmentOfWhichNobodyKnowsWhetherItWasBooked() {
    Order order =
        orderPlaced()
            .expect(command("process-payment"))
            .on(paymentProcessed())
            .expect(command("arrange-shipment"))
            .on(new OrderReply.ShipmentRejected(AnOrder.ID, "UNAVAILABLE"), UNAVAILABLE)
            .expect(command("cancel-shipment"))
            .on(shipmentCancelled())
            .expect(command("refund-payment"))
            .on(paymentRefunded())
            .expectEnd(COMPENSATED)
            .subject()
            .order();

    assertThat(order.cancellationReason()).isEqualTo("SHIPMENT_UNAVAILABLE");
    assertThat(order.payment()).extracting(Payment::status).isEqualTo(Payment.Status.REFUNDED);
  }

  @Test
  void hasNothingToUndoOfAStepThatItsParticipantSawTooLate() {
    Order order =
        orderPlaced()
            .expect(command("process-payment"))
            .on(new OrderReply.PaymentDeclined(AnOrder.ID, "EXPIRED"), EXPIRED)
            .expectEnd(COMPENSATED)
            .subject()
            .order();

    assertThat(order.cancellationReason()).isEqualTo("PAYMENT_EXPIRED");
  }

  @Test
  void givesTheMoneyOfACancelledOrderBackOnceItIsKnownToHaveBeenTaken() {
    Order order =
        orderPlaced()
            .expect(command("process-payment"))
            .cancelled(COMPENSATING)
            .expectNothingMore()
            .on(paymentProcessed())
            .expect(command("refund-payment"))
            .on(paymentRefunded())
            .expectEnd(COMPENSATED)
            .cancelled(CANCELLED)
            .subject()
            .order();

    assertThat(order.status()).isEqualTo(OrderStatus.CANCELLED);
    assertThat(order.payment()).extracting(Payment::status).isEqualTo(Payment.Status.REFUNDED);
  }

  @Test
  void isNotCancelledOnceItIsConfirmed() {
    orderPlaced()
        .expect(command("process-payment"))
        .on(paymentProcessed())
        .expect(command("arrange-shipment"))
        .on(shipmentArranged())
        .cancelled(TOO_LATE)
        .expectEnd(COMPLETED);
  }

  @Test
  void isUndoneWhenItsShipmentIsNotArrangedInTime() {
    orderPlaced()
        .expect(command("process-payment"))
        .on(paymentProcessed())
        .expectWantedFor(ofMinutes(30).plus(ofSeconds(10)))
        .expect(command("arrange-shipment"))
        .after(ofMinutes(30))
        .expect(Collections.nCopies(9, command("arrange-shipment").again()))
        .after(ofSeconds(10))
        .expect(command("cancel-shipment"))
        .on(shipmentCancelled())
        .expect(command("refund-payment"))
        .on(paymentRefunded())
        .expectEnd(COMPENSATED)
        .expectHistory("saga-compensated TIMED_OUT");
  }

  @Test
  void tellsThatAnOrderWasCreated() {
    assertThat(PlaceOrder.of(AnOrder.placed()).created())
        .isEqualTo(
            new OrderEvent.OrderCreated(
                AnOrder.ID, "alice", 2500, "EUR", AnOrder.placed().items()));
  }

  private static SagaDialogue<PlaceOrder> orderPlaced() {
    return given(PlaceOrderSaga.DEFINITION).started(PlaceOrder.of(AnOrder.placed()));
  }
}
