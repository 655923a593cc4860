package io.onceflow.saga;

import static io.onceflow.participant.Answer.ReplyOutcome.DONE;
import static io.onceflow.participant.Answer.ReplyOutcome.PENDING;
import static io.onceflow.participant.Answer.ReplyOutcome.REFUSED;
import static io.onceflow.participant.Answer.ReplyOutcome.UNAVAILABLE;
import static io.onceflow.saga.Saga.CancelOutcome.COMPENSATING;
import static io.onceflow.saga.Saga.CancelOutcome.TOO_LATE;
import static io.onceflow.saga.Saga.SagaStatus.COMPENSATED;
import static io.onceflow.saga.Saga.SagaStatus.COMPLETED;
import static io.onceflow.saga.Saga.SagaStatus.RUNNING;
import static io.onceflow.saga.Saga.SagaStatus.STUCK;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.together;
import static io.onceflow.test.ExpectedCommand.command;
import static io.onceflow.test.SagaDialogue.given;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.onceflow.test.ExpectedCommand;
import io.onceflow.test.SagaDialogue;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Steps that wait for the world. Seen red when the saga's deadline counted the waiting, when a
 * cancellation or the failure of another step did not end it, when a pending answer was believed of
 * a step without an await, when a step was given up on without being asked for once more, and when
 * a lost reply cost the whole await.
 */
class AwaitDialogueTest {

  private static final Duration TWO_DAYS = ofDays(2);

  @Test
  void isAskedAtGrowingDistancesAndMeetsNoDeadlineWhileItIsPending() {
    booked()
        .on("book-hotel", PENDING)
        .expectHistory("step-pending book-hotel confirmed until 2026-01-03T12:00:00Z")
        .after(ofMinutes(10).minus(ofMillis(1)))
        .expectNothingMore()
        .after(ofMillis(1))
        .expect(command("book-hotel").again())
        .expectHistory("sent-again book-hotel asked while it is pending")
        .on("book-hotel", PENDING)
        .after(ofMinutes(20).minus(ofMillis(1)))
        .expectNothingMore()
        .after(ofMillis(1))
        .expect(command("book-hotel").again())
        .after(TWO_DAYS.minus(ofMinutes(30)).minus(ofMillis(1)))
        .expect(again("book-hotel", 13))
        .expectStatus(RUNNING)
        .on("book-hotel", DONE)
        .expect(command("book-car"))
        .on("book-car", DONE)
        .expectEnd(COMPLETED);
  }

  @Test
  void mayBePendingAfterItWasSentAgain() {
    booked()
        .after(ofSeconds(10))
        .expect(command("book-hotel").again())
        .on("book-hotel", PENDING)
        .on("book-hotel", PENDING)
        .expectHistory(
            "sent-again book-hotel attempt 2",
            "step-pending book-hotel confirmed until 2026-01-03T12:00:10Z")
        .after(ofDays(1))
        .expect(again("book-hotel", 9))
        .on("book-hotel", REFUSED)
        .expectEnd(COMPENSATED);
  }

  @Test
  void isCompensatedWhereItsParticipantGivesUpOnIt() {
    booked()
        .on("book-hotel", PENDING)
        .on("book-hotel", UNAVAILABLE)
        .expect(command("cancel-hotel"))
        .on("cancel-hotel", DONE)
        .expectEnd(COMPENSATED);
  }

  @Test
  void isGivenUpOnAtOnceWhenTheSagaIsCancelledWhileItIsPending() {
    booked()
        .on("book-hotel", PENDING)
        .after(ofHours(1))
        .expect(again("book-hotel", 2))
        .cancelled(COMPENSATING)
        .expect(command("cancel-hotel"))
        .on("cancel-hotel", DONE)
        .expectEnd(COMPENSATED);
  }

  @Test
  void isGivenUpOnWhenTheAnswerThatItIsPendingComesAfterTheCancellation() {
    booked()
        .cancelled(COMPENSATING)
        .on("book-hotel", PENDING)
        .expect(command("cancel-hotel"))
        .on("cancel-hotel", DONE)
        .expectEnd(COMPENSATED);
  }

  @Test
  void isGivenUpOnAtOnceByAnOperatorToo() {
    booked()
        .on("book-hotel", PENDING)
        .compensatedByOperator()
        .expect(command("cancel-hotel"))
        .on("cancel-hotel", DONE)
        .expectEnd(COMPENSATED);
  }

  @Test
  void isSentAgainByAnOperatorAndGoesOnWaitingForAsLongAsBefore() {
    booked()
        .on("book-hotel", PENDING)
        .after(ofDays(1))
        .expect(again("book-hotel", 9))
        .retriedByOperator()
        .expect(command("book-hotel").again())
        .on("book-hotel", PENDING)
        .after(ofDays(1).minus(ofMillis(1)))
        .expect(again("book-hotel", 5))
        .after(ofMillis(1))
        .expect(command("book-hotel").again())
        .on("book-hotel", PENDING)
        .expect(command("cancel-hotel"));
  }

  @Test
  void isGivenUpOnWhenAStepThatWasTakenTogetherWithItFails() {
    given(
            saga(
                "journey",
                1,
                together(
                    Journey.book("hotel").await("confirmed").within(TWO_DAYS),
                    Journey.book("car"))))
        .started(Journey.journey())
        .expect(command("book-hotel"), command("book-car"))
        .on("book-hotel", PENDING)
        .on("book-car", REFUSED)
        .expect(command("cancel-hotel"))
        .on("cancel-hotel", DONE)
        .expectEnd(COMPENSATED);
  }

  @Test
  void isNotPendingWhereItsDefinitionDoesNotLetItWait() {
    given(saga("journey", 1, Journey.book("hotel")))
        .started(Journey.journey())
        .expect(command("book-hotel"))
        .on("book-hotel", PENDING)
        .expectHistory(
            "reply-ignored book-hotel StepAnswered: book-hotel is not awaited by its definition")
        .after(ofSeconds(10))
        .expect(command("book-hotel").again());
  }

  @Test
  void aCopyOfThePendingAnswerThatComesLateChangesNothing() {
    booked()
        .on("book-hotel", DONE)
        .expect(command("book-car"))
        .on("book-hotel", PENDING)
        .expectHistory("command-sent book-car")
        .on("book-car", DONE)
        .expectEnd(COMPLETED)
        .on("book-hotel", PENDING)
        .expectNothingMore();
  }

  /** The deadline of a day is put off by the hour that was waited, and by no more. */
  @Test
  void theDeadlineGoesOnWhenTheWaitingIsOver() {
    booked()
        .on("book-hotel", PENDING)
        .after(ofHours(1))
        .expect(again("book-hotel", 2))
        .on("book-hotel", DONE)
        .expect(command("book-car"))
        .on("book-car", PENDING)
        .after(ofDays(1).minus(ofMillis(1)))
        .expect(again("book-car", 9))
        .expectStatus(RUNNING);
  }

  @Test
  void aPivotIsNeverGivenUpOnButAskedForAgain() {
    SagaDialogue<Journey> saga =
        given(saga("journey", 1, Journey.decide("all").await("decided").within(ofHours(2))))
            .started(Journey.journey())
            .expect(command("decide-all"))
            .on("decide-all", PENDING)
            .after(ofHours(2).minus(ofMillis(1)))
            .expect(again("decide-all", 3))
            .after(ofMillis(1))
            .expect(command("decide-all").again())
            .expectHistory("await-over decide-all", "sent-again decide-all attempt 2");
    saga.on("decide-all", PENDING)
        .after(ofHours(2))
        .expect(again("decide-all", 2))
        .on("decide-all", DONE)
        .expectEnd(COMPLETED);
  }

  @Test
  void aPivotThatWaitsForTheWorldIsNotUndone() {
    decided()
        .cancelled(TOO_LATE)
        .expectNothingMore()
        .on("decide-all", UNAVAILABLE)
        .expectStatus(RUNNING)
        .on("decide-all", DONE)
        .expectEnd(COMPLETED);
  }

  @Test
  void aPivotMayBeRefusedAfterItHasWaited() {
    decided().on("decide-all", REFUSED).expectEnd(COMPENSATED);
  }

  /** A pivot that is pending. */
  private static SagaDialogue<Journey> decided() {
    return given(saga("journey", 1, Journey.decide("all").await("decided").within(TWO_DAYS)))
        .started(Journey.journey())
        .expect(command("decide-all"))
        .on("decide-all", PENDING);
  }

  @Test
  void aPivotThatWaitsForTheWorldIsNotStuck() {
    SagaDialogue<Journey> saga =
        given(saga("journey", 1, Journey.decide("all").await("decided").within(ofDays(2))))
            .started(Journey.journey())
            .expect(command("decide-all"));
    saga.after(ofHours(2)).expect(again("decide-all", 12)).expectStatus(STUCK);
    saga.on("decide-all", PENDING)
        .expectStatus(RUNNING)
        .after(ofDays(1))
        .expect(again("decide-all", 9))
        .expectStatus(RUNNING);
  }

  private static List<ExpectedCommand> again(String step, int times) {
    return Collections.nCopies(times, command(step).again());
  }

  /** A hotel that confirms within two days, and a car; the deadline is a day. */
  private static SagaDialogue<Journey> booked() {
    return given(
            saga(
                "journey",
                1,
                Journey.book("hotel").await("confirmed").within(TWO_DAYS),
                Journey.book("car").await("confirmed").within(ofHours(30))))
        .started(Journey.journey())
        .expect(command("book-hotel"));
  }
}
