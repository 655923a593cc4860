package io.onceflow.order.saga;

import static io.onceflow.order.saga.AnOrder.paymentReturned;
import static io.onceflow.order.saga.AnOrder.returnArranged;
import static io.onceflow.order.saga.AnOrder.returnCancelled;
import static io.onceflow.order.saga.AnOrder.returnRejected;
import static io.onceflow.participant.Answer.ReplyOutcome.UNAVAILABLE;
import static io.onceflow.saga.Saga.SagaStatus.COMPENSATED;
import static io.onceflow.saga.Saga.SagaStatus.COMPLETED;
import static io.onceflow.saga.Saga.SagaStatus.RUNNING;
import static io.onceflow.saga.Saga.SagaStatus.STUCK;
import static io.onceflow.test.ExpectedCommand.command;
import static io.onceflow.test.SagaDialogue.given;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.order.domain.OrderReturn;
import io.onceflow.order.domain.OrderStatus;
import io.onceflow.order.domain.Payment;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.test.ExpectedCommand;
import io.onceflow.test.SagaDialogue;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class ReturnOrderSagaTest {

  /** Ten attempts: 10, 20, 40, 80 and 160 seconds, then five times five minutes. */
  private static final Duration HALF_AN_HOUR = ofSeconds(310).plus(ofMinutes(25));

  @Test
  void paysBackWhatTheCarrierFetchesAndMarksTheOrderReturned() {
    ReturnOrder returned =
        returnRequested()
            .expect(command("arrange-return"))
            .on(returnArranged())
            .expect(command("return-payment"))
            .on(paymentReturned())
            .expectEnd(COMPLETED)
            .expectHistory(
                "succeeded arrange-return ReturnArranged",
                "pivot-passed accept-return",
                "command-sent return-payment",
                "succeeded return-payment PaymentReturned",
                "succeeded complete-return",
                "saga-completed")
            .subject();

    assertThat(returned.order().status()).isEqualTo(OrderStatus.RETURNED);
    assertThat(returned.order().payment())
        .extracting(Payment::status)
        .isEqualTo(Payment.Status.REFUNDED);
    assertThat(returned.wish().status()).isEqualTo(OrderReturn.Status.COMPLETED);
    assertThat(returned.wish().trackingNumber()).isEqualTo("SIM-0199C3A49051");
    assertThat(returned.wish().refundedAmount()).isEqualTo(2500);
    assertThat(returned.raised())
        .containsExactly(new OrderEvent.OrderReturned(AnOrder.ID, AnOrder.RETURN));
  }

  @Test
  void leavesTheOrderAsItIsWhenTheCarrierWillNotFetchIt() {
    ReturnOrder rejected =
        returnRequested()
            .expect(command("arrange-return"))
            .on(returnRejected())
            .expectEnd(COMPENSATED)
            .subject();

    assertThat(rejected.order()).isEqualTo(AnOrder.confirmed());
    assertThat(rejected.wish().status()).isEqualTo(OrderReturn.Status.REJECTED);
    assertThat(rejected.wish().rejectionReason()).isEqualTo("RETURN_REJECTED");
    assertThat(rejected.raised()).isEmpty();
  }

  @Test
  void takesBackABookingOfWhichNobodyKnowsWhetherItWasMade() {
    ReturnOrder rejected =
        returnRequested()
            .expect(command("arrange-return"))
            .on(
                new OrderReply.ReturnRejected(AnOrder.RETURN, AnOrder.ID, "UNAVAILABLE"),
                UNAVAILABLE)
            .expect(command("cancel-return"))
            .on(returnCancelled())
            .expectEnd(COMPENSATED)
            .subject();

    assertThat(rejected.wish().rejectionReason()).isEqualTo("RETURN_UNAVAILABLE");
    assertThat(rejected.order()).isEqualTo(AnOrder.confirmed());
  }

  @Test
  void takesBackABookingThatIsNeverAnswered() {
    ReturnOrder rejected =
        returnRequested()
            .expectWantedFor(HALF_AN_HOUR)
            .expect(command("arrange-return"))
            .after(HALF_AN_HOUR.minusMillis(1))
            .expect(againTimes("arrange-return", 9))
            .after(ofMillis(1))
            .expect(command("cancel-return"))
            .on(returnCancelled())
            .expectEnd(COMPENSATED)
            .subject();

    assertThat(rejected.wish().rejectionReason()).isEqualTo("TIMED_OUT");
  }

  @Test
  void wantsTheMoneyBackUntilItIsThereHoweverLongThatTakes() {
    SagaDialogue<ReturnOrder> dialogue =
        returnRequested()
            .expect(command("arrange-return"))
            .on(returnArranged())
            .expect(command("return-payment"));
    assertThat(dialogue.subject().wish().status()).isEqualTo(OrderReturn.Status.ACCEPTED);
    assertThat(dialogue.subject().order().status()).isEqualTo(OrderStatus.CONFIRMED);

    dialogue
        .after(ofHours(12))
        .expect(againTimes("return-payment", 9 + 23))
        .expectStatus(STUCK)
        .expectRefused(new SagaEvent.Compensate("op", "told to"), PAST_THE_PIVOT)
        .on(paymentReturned())
        .expectEnd(COMPLETED);
    assertThat(dialogue.subject().order().status()).isEqualTo(OrderStatus.RETURNED);
  }

  @Test
  void answersThatComeTwiceChangeNothing() {
    returnRequested()
        .expect(command("arrange-return"))
        .on(returnArranged())
        .expect(command("return-payment"))
        .on(returnArranged())
        .expectNothingMore()
        .expectParked(returnRejected(), "arrange-return has another answer, which stands")
        .expectStatus(RUNNING)
        .on(paymentReturned())
        .expectEnd(COMPLETED)
        .on(paymentReturned())
        .expectEnd(COMPLETED);
  }

  private static ExpectedCommand[] againTimes(String name, int times) {
    return Collections.nCopies(times, command(name).again()).toArray(ExpectedCommand[]::new);
  }

  private static final String PAST_THE_PIVOT = "it has passed its pivot and only goes forward";

  private static SagaDialogue<ReturnOrder> returnRequested() {
    return given(ReturnOrderSaga.DEFINITION)
        .started(ReturnOrder.of(AnOrder.returnRequested(), AnOrder.confirmed()));
  }
}
