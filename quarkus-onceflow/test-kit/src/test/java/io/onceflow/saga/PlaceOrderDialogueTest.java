package io.onceflow.saga;

import static io.onceflow.saga.PlaceOrder.DEFINITION;
import static io.onceflow.saga.PlaceOrder.done;
import static io.onceflow.saga.PlaceOrder.order;
import static io.onceflow.saga.PlaceOrder.paymentDeclined;
import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static io.onceflow.saga.PlaceOrder.paymentRefunded;
import static io.onceflow.saga.PlaceOrder.refused;
import static io.onceflow.saga.PlaceOrder.shipmentArranged;
import static io.onceflow.saga.PlaceOrder.shipmentRejected;
import static io.onceflow.saga.Saga.SagaStatus.COMPENSATED;
import static io.onceflow.saga.Saga.SagaStatus.COMPENSATING;
import static io.onceflow.saga.Saga.SagaStatus.COMPLETED;
import static io.onceflow.saga.Saga.SagaStatus.RUNNING;
import static io.onceflow.test.ExpectedCommand.command;
import static io.onceflow.test.SagaDialogue.given;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.test.SagaDialogue;
import org.junit.jupiter.api.Test;

class PlaceOrderDialogueTest {

  @Test
  void confirmsTheOrderWhenEveryStepSucceeds() {
    PlaceOrder order =
        given(DEFINITION)
            .started(order())
            .expect(command("process-payment"))
            .on(paymentProcessed())
            .expect(command("arrange-shipment"))
            .expectStatus(RUNNING)
            .on(shipmentArranged())
            .expectEnd(COMPLETED)
            .expectHistory(
                "saga-started place-order v1",
                "command-sent process-payment",
                "succeeded process-payment PaymentProcessed",
                "command-sent arrange-shipment",
                "succeeded arrange-shipment ShipmentArranged",
                "pivot-passed confirm-order",
                "saga-completed")
            .subject();

    assertThat(order.confirmed()).isTrue();
    assertThat(order.noted()).containsExactly("PaymentProcessed", "ShipmentArranged");
  }

  @Test
  void undoesNothingWhenTheFirstStepIsRefused() {
    PlaceOrder order =
        given(DEFINITION)
            .started(order())
            .expect(command("process-payment"))
            .on(paymentDeclined())
            .expectEnd(COMPENSATED)
            .expectHistory(
                "refused process-payment PaymentDeclined: PAYMENT_DECLINED",
                "saga-compensated PAYMENT_DECLINED")
            .subject();

    assertThat(order.cancelledFor()).isEqualTo("PAYMENT_DECLINED");
    assertThat(order.noted()).containsExactly("PaymentDeclined");
  }

  @Test
  void refundsThePaymentWhenTheShipmentIsRefused() {
    PlaceOrder order =
        paidOrder()
            .on(shipmentRejected())
            .expect(command("refund-payment"))
            .expectStatus(COMPENSATING)
            .on(paymentRefunded())
            .expectEnd(COMPENSATED)
            .expectHistory(
                "refused arrange-shipment ShipmentRejected: SHIPMENT_REJECTED",
                "compensation-sent process-payment refund-payment",
                "compensated process-payment PaymentRefunded",
                "saga-compensated SHIPMENT_REJECTED")
            .subject();

    assertThat(order.cancelledFor()).isEqualTo("SHIPMENT_REJECTED");
    assertThat(order.confirmed()).isFalse();
  }

  @Test
  void sendsAnUnansweredStepAgainAtGrowingDistances() {
    given(DEFINITION)
        .started(order())
        .expect(command("process-payment"))
        .after(ofSeconds(10).minus(ofMillis(1)))
        .expectNothingMore()
        .after(ofMillis(1))
        .expect(command("process-payment").again())
        .expectHistory("sent-again process-payment attempt 2")
        .after(ofSeconds(19))
        .expectNothingMore()
        .after(ofSeconds(1))
        .expect(command("process-payment").again())
        .after(ofSeconds(40))
        .expect(command("process-payment").again())
        .on(paymentProcessed())
        .expect(command("arrange-shipment"));
  }

  @Test
  void sendsAnUnansweredCompensationAgainUntilItIsAnswered() {
    paidOrder()
        .on(shipmentRejected())
        .expect(command("refund-payment"))
        .after(ofSeconds(10))
        .expect(command("refund-payment").again())
        .expectHistory("sent-again process-payment refund-payment, attempt 2")
        .after(ofSeconds(20))
        .expect(command("refund-payment").again())
        .on(paymentRefunded())
        .expectEnd(COMPENSATED);
  }

  @Test
  void ignoresARepeatedReply() {
    paidOrder()
        .on(paymentProcessed())
        .expectNothingMore()
        .expectHistory("command-sent arrange-shipment")
        .on(shipmentArranged())
        .expectEnd(COMPLETED);
  }

  @Test
  void ignoresAReplyThatComesBeforeItsStep() {
    SagaDialogue<PlaceOrder> saga =
        given(DEFINITION)
            .started(order())
            .expect(command("process-payment"))
            .on(shipmentArranged())
            .expectNothingMore()
            .expectHistory("command-sent process-payment");

    assertThat(saga.subject().noted()).isEmpty();
    saga.on(paymentProcessed())
        .expect(command("arrange-shipment"))
        .on(shipmentArranged())
        .expectEnd(COMPLETED);
  }

  @Test
  void ignoresTheReplyToACompensationThatWasNotSent() {
    paidOrder()
        .on(paymentRefunded())
        .on(done("cancel-shipment", "ShipmentCancelled"))
        .expectHistory("command-sent arrange-shipment")
        .expectStatus(RUNNING);
  }

  @Test
  void ignoresAReplyToAStepItDoesNotHave() {
    given(DEFINITION)
        .started(order())
        .expect(command("process-payment"))
        .on(done("paint-the-fence", "FencePainted"))
        .expectNothingMore()
        .expectHistory("command-sent process-payment");
  }

  @Test
  void aRefusalThatComesTwiceCountsOnce() {
    paidOrder()
        .on(shipmentRejected())
        .expect(command("refund-payment"))
        .on(shipmentRejected())
        .expectHistory("compensation-sent process-payment refund-payment")
        .on(paymentRefunded())
        .on(paymentRefunded())
        .expectEnd(COMPENSATED);
  }

  @Test
  void nothingMovesASagaThatHasEnded() {
    SagaDialogue<PlaceOrder> saga = paidOrder().on(shipmentArranged()).expectEnd(COMPLETED);

    saga.expectParked(shipmentRejected(), "arrange-shipment has another answer, which stands")
        .after(ofHours(24))
        .expectEnd(COMPLETED);
    assertThat(saga.subject().confirmed()).isTrue();
  }

  @Test
  void sendsACompensationAgainAtItsTimeWhenAParticipantRefusesIt() {
    paidOrder()
        .on(shipmentRejected())
        .expect(command("refund-payment"))
        .after(ofSeconds(4))
        .on(refused("refund-payment", "PaymentRefundRefused", "ACCOUNT_CLOSED"))
        .expectHistory("refusal-ignored process-payment PaymentRefundRefused: ACCOUNT_CLOSED")
        .expectStatus(COMPENSATING)
        .after(ofSeconds(6))
        .expect(command("refund-payment").again())
        .on(paymentRefunded())
        .expectEnd(COMPENSATED)
        .on(refused("refund-payment", "PaymentRefundRefused", "ACCOUNT_CLOSED"))
        .expectHistory("saga-compensated SHIPMENT_REJECTED");
  }

  private static SagaDialogue<PlaceOrder> paidOrder() {
    return given(DEFINITION)
        .started(order())
        .expect(command("process-payment"))
        .on(paymentProcessed())
        .expect(command("arrange-shipment"));
  }
}
