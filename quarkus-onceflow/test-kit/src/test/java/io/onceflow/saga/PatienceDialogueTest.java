package io.onceflow.saga;

import static io.onceflow.saga.PlaceOrder.DEFINITION;
import static io.onceflow.saga.PlaceOrder.inDoubt;
import static io.onceflow.saga.PlaceOrder.order;
import static io.onceflow.saga.PlaceOrder.paymentDeclined;
import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static io.onceflow.saga.PlaceOrder.paymentRefunded;
import static io.onceflow.saga.PlaceOrder.shipmentArranged;
import static io.onceflow.saga.PlaceOrder.shipmentCancelled;
import static io.onceflow.saga.PlaceOrder.shipmentRejected;
import static io.onceflow.saga.Saga.CancelOutcome.COMPENSATING;
import static io.onceflow.saga.Saga.CancelOutcome.TOO_LATE;
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

import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.test.ExpectedCommand;
import io.onceflow.test.SagaDialogue;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a saga does when it is not answered, cancelled, or told to by an operator. */
class PatienceDialogueTest {

  /** Ten attempts: 10, 20, 40, 80 and 160 seconds, then five times five minutes. */
  private static final Duration HALF_AN_HOUR = ofSeconds(310).plus(ofMinutes(25));

  @Test
  void givesUpOnAStepWhoseAttemptsAreUsedUpAndUndoesItSinceItMayHaveBeenDone() {
    given(DEFINITION)
        .started(order())
        .expect(command("process-payment"))
        .after(HALF_AN_HOUR.minus(ofMillis(1)))
        .expect(againTimes("process-payment", 9))
        .after(ofMillis(1))
        .expect(command("refund-payment"))
        .expectHistory(
            "given-up process-payment no reply in time",
            "compensation-sent process-payment refund-payment")
        .on(paymentRefunded())
        .expectEnd(COMPENSATED)
        .expectHistory("compensated process-payment PaymentRefunded", "saga-compensated TIMED_OUT");
  }

  @Test
  void tellsParticipantsUntilWhenAStepIsWantedTheSameForEveryAttempt() {
    SagaDialogue<PlaceOrder> saga = given(DEFINITION).started(order());
    saga.expectWantedFor(HALF_AN_HOUR)
        .expect(command("process-payment"))
        .after(ofSeconds(10))
        .expectWantedFor(HALF_AN_HOUR.minus(ofSeconds(10)))
        .expect(command("process-payment").again())
        .on(paymentDeclined())
        .expectEnd(COMPENSATED);
  }

  @Test
  void undoesAStepThatAParticipantHasLeftInDoubt() {
    given(DEFINITION)
        .started(order())
        .expect(command("process-payment"))
        .on(inDoubt("process-payment"))
        .expect(command("refund-payment"))
        .expectHistory(
            "given-up process-payment InDoubt: UNAVAILABLE",
            "compensation-sent process-payment refund-payment")
        .on(paymentRefunded())
        .expectEnd(COMPENSATED)
        .expectHistory("saga-compensated UNAVAILABLE");
  }

  @Test
  void compensatesTheLateSuccessOfAStepGivenUpOnEvenWhenItHasBeenCompensated() {
    given(DEFINITION)
        .started(order())
        .expect(command("process-payment"))
        .on(paymentProcessed())
        .expect(command("arrange-shipment"))
        .on(inDoubt("arrange-shipment"))
        .expect(command("cancel-shipment"))
        .on(shipmentCancelled())
        .expect(command("refund-payment"))
        .on(shipmentArranged())
        .expect(command("cancel-shipment").again())
        .expectHistory(
            "late-success arrange-shipment ShipmentArranged",
            "sent-again arrange-shipment cancel-shipment, attempt 2")
        .on(paymentRefunded())
        .expectEnd(COMPENSATED)
        .on(shipmentArranged())
        .expectNothingMore();
  }

  @Test
  void doesNotWaitForItsTimeToSendTheCompensationAgainWhenTheStepSucceedsLate() {
    given(DEFINITION)
        .started(order())
        .expect(command("process-payment"))
        .on(inDoubt("process-payment"))
        .expect(command("refund-payment"))
        .on(paymentProcessed())
        .expect(command("refund-payment").again())
        .on(paymentProcessed())
        .expectNothingMore()
        .on(paymentRefunded())
        .expectEnd(COMPENSATED);
  }

  /** It was parked as another answer than the first, which it is a copy of. */
  @Test
  void ignoresACopyOfADoubtAfterTheLateSuccess() {
    given(DEFINITION)
        .started(order())
        .expect(command("process-payment"))
        .on(inDoubt("process-payment"))
        .expect(command("refund-payment"))
        .on(paymentProcessed())
        .expect(command("refund-payment").again())
        .on(inDoubt("process-payment"))
        .expectNothingMore()
        .on(paymentRefunded())
        .expectEnd(COMPENSATED);
  }

  @Test
  void compensatesALateSuccessOnceMoreAfterTheEnd() {
    given(DEFINITION)
        .started(order())
        .expect(command("process-payment"))
        .on(inDoubt("process-payment"))
        .expect(command("refund-payment"))
        .on(paymentRefunded())
        .expectEnd(COMPENSATED)
        .on(paymentProcessed())
        .expect(command("refund-payment").again())
        .expectEnd(COMPENSATED)
        .on(paymentProcessed())
        .expectEnd(COMPENSATED);
  }

  @Test
  void undoesASagaThatHasNotReachedItsPivotByItsDeadline() {
    given(DEFINITION.within(ofMinutes(1)))
        .started(order())
        .expectWantedFor(ofMinutes(1))
        .expect(command("process-payment"))
        .after(ofSeconds(9))
        .on(paymentProcessed())
        .expectWantedFor(ofSeconds(51))
        .expect(command("arrange-shipment"))
        .after(ofSeconds(50))
        .expect(againTimes("arrange-shipment", 2))
        .after(ofSeconds(1))
        .expect(command("cancel-shipment"))
        .expectHistory(
            "deadline-passed",
            "given-up arrange-shipment no reply in time",
            "compensation-sent arrange-shipment cancel-shipment")
        .on(shipmentCancelled())
        .expect(command("refund-payment"))
        .on(paymentRefunded())
        .expectEnd(COMPENSATED)
        .expectHistory("saga-compensated DEADLINE_PASSED");
  }

  @Test
  void waitsForTheRunningStepBeforeItUndoesACancelledSaga() {
    given(DEFINITION)
        .started(order())
        .expect(command("process-payment"))
        .cancelled(COMPENSATING)
        .expectNothingMore()
        .expectHistory("cancel-requested by ada")
        .after(ofSeconds(10))
        .expect(command("process-payment").again())
        .cancelled(COMPENSATING)
        .on(paymentProcessed())
        .expect(command("refund-payment"))
        .on(paymentRefunded())
        .expectEnd(COMPENSATED)
        .expectHistory("saga-compensated CANCELLED")
        .cancelled(CancelOutcome.CANCELLED);
  }

  @Test
  void hasNothingToUndoWhenTheStepThatACancelledSagaWaitedForIsRefused() {
    given(DEFINITION)
        .started(order())
        .expect(command("process-payment"))
        .cancelled(COMPENSATING)
        .on(paymentDeclined())
        .expectEnd(COMPENSATED)
        .expectHistory("saga-compensated CANCELLED");
  }

  @Test
  void cannotBeCancelledOncePastItsPivot() {
    given(DEFINITION)
        .started(order())
        .expect(command("process-payment"))
        .on(paymentProcessed())
        .expect(command("arrange-shipment"))
        .on(shipmentArranged())
        .expectEnd(COMPLETED)
        .cancelled(TOO_LATE)
        .expectEnd(COMPLETED);
  }

  @Test
  void showsACompensationThatIsNotAnsweredAsStuckAndSendsItOnSlowly() {
    refunding()
        .after(HALF_AN_HOUR.minus(ofMillis(1)))
        .expect(againTimes("refund-payment", 9))
        .expectStatus(SagaStatus.COMPENSATING)
        .after(ofMillis(1))
        .expect(command("refund-payment").again())
        .expectStatus(STUCK)
        .expectHistory(
            "sent-again process-payment refund-payment, attempt 11", "saga-stuck process-payment")
        .after(ofHours(24))
        .expect(againTimes("refund-payment", 48))
        .cancelled(COMPENSATING)
        .on(paymentRefunded())
        .expectEnd(COMPENSATED)
        .expectHistory(
            "compensated process-payment PaymentRefunded", "saga-compensated SHIPMENT_REJECTED");
  }

  @Test
  void sendsWhatIsAwaitedAtOnceWhenAnOperatorSaysSo() {
    refunding()
        .retriedByOperator()
        .expect(command("refund-payment").again())
        .expectHistory(
            "retry-requested by op: told to",
            "sent-again process-payment refund-payment, at an operator's request");
  }

  /** Before: twelve requests made the saga STUCK, which then waited for half an hour. */
  @Test
  void anOperatorsRetriesAreNoAttempts() {
    SagaDialogue<PlaceOrder> saga = refunding();
    for (int i = 0; i < 12; i++) {
      saga.retriedByOperator().expect(command("refund-payment").again());
    }
    saga.expectStatus(SagaStatus.COMPENSATING)
        .after(ofSeconds(10))
        .expect(command("refund-payment").again())
        .expectHistory("sent-again process-payment refund-payment, attempt 2");
  }

  @Test
  void isUndoneFromWhereItStandsWhenAnOperatorSaysSo() {
    given(DEFINITION)
        .started(order())
        .expect(command("process-payment"))
        .compensatedByOperator()
        .expect(command("refund-payment"))
        .expectHistory(
            "compensation-requested by op: told to",
            "given-up process-payment an operator has the saga undone",
            "compensation-sent process-payment refund-payment")
        .on(paymentRefunded())
        .expectEnd(COMPENSATED)
        .expectHistory("saga-compensated COMPENSATED_BY_OPERATOR");
  }

  @Test
  void anOperatorNeedNotWaitForTheStepThatACancelledSagaWaitsFor() {
    given(DEFINITION)
        .started(order())
        .expect(command("process-payment"))
        .cancelled(COMPENSATING)
        .compensatedByOperator()
        .expect(command("refund-payment"))
        .on(paymentRefunded())
        .expectEnd(COMPENSATED)
        .expectHistory("saga-compensated CANCELLED");
  }

  @Test
  void saysWhyAnOperatorsRequestMakesNoSense() {
    SagaEvent.Retry retry = new SagaEvent.Retry("op", null);
    SagaEvent.Compensate compensate = new SagaEvent.Compensate("op", null);

    refunding()
        .expectRefused(
            compensate, "it is being undone already; retry sends the compensation at once")
        .on(paymentRefunded())
        .expectRefused(retry, "it has ended as COMPENSATED")
        .expectRefused(compensate, "it has ended as COMPENSATED");
  }

  private static SagaDialogue<PlaceOrder> refunding() {
    return given(DEFINITION)
        .started(order())
        .expect(command("process-payment"))
        .on(paymentProcessed())
        .expect(command("arrange-shipment"))
        .expectStatus(RUNNING)
        .on(shipmentRejected())
        .expect(command("refund-payment"));
  }

  private static List<ExpectedCommand> againTimes(String name, int times) {
    return Collections.nCopies(times, command(name).again());
  }
}
