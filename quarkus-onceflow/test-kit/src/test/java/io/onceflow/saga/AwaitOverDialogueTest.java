package io.onceflow.saga;

import static io.onceflow.participant.Answer.ReplyOutcome.DONE;
import static io.onceflow.participant.Answer.ReplyOutcome.PENDING;
import static io.onceflow.participant.Answer.ReplyOutcome.REFUSED;
import static io.onceflow.saga.Saga.CancelOutcome.COMPENSATING;
import static io.onceflow.saga.Saga.SagaStatus.COMPENSATED;
import static io.onceflow.saga.Saga.SagaStatus.COMPLETED;
import static io.onceflow.saga.Saga.SagaStatus.RUNNING;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.test.ExpectedCommand.command;
import static io.onceflow.test.SagaDialogue.given;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;

import io.onceflow.test.SagaDialogue;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/**
 * A step whose time to wait for the world is over: its reply may be lost. Seen red when it was
 * given up on without being asked for once more, when it was asked for without an end, when it
 * waited another two days for a step that was still pending, and when the deadline ended it.
 */
class AwaitOverDialogueTest {

  private static final Duration TWO_DAYS = ofDays(2);

  /** After 10, 20, 40, 80 and 160 minutes, and then every four hours. */
  private static final int ASKED_BEFORE = 15;

  @Test
  void isAskedForOnceMoreWhenItsTimeIsOverSinceItsReplyMayBeLost() {
    overdue()
        .expectHistory(
            "await-over book-hotel asked once more, until 2026-01-03T12:00:20Z",
            "sent-again book-hotel attempt 2")
        .expectStatus(RUNNING)
        .after(ofSeconds(20).minus(ofMillis(1)))
        .expectNothingMore()
        .on("book-hotel", DONE)
        .expect(command("book-car"))
        .on("book-car", DONE)
        .expectEnd(COMPLETED);
  }

  @Test
  void isRefusedInTheAnswerToThatAsWell() {
    overdue().on("book-hotel", REFUSED).expectEnd(COMPENSATED);
  }

  @Test
  void isGivenUpOnAndCompensatedWhenItIsStillPendingThen() {
    overdue()
        .on("book-hotel", PENDING)
        .expect(command("cancel-hotel"))
        .expectHistory(
            "given-up book-hotel it was pending for as long as it may be",
            "compensation-sent book-hotel cancel-hotel")
        .on("cancel-hotel", DONE)
        .expectEnd(COMPENSATED)
        .expectHistory("saga-compensated TIMED_OUT");
  }

  @Test
  void isGivenUpOnAndCompensatedWhenItDoesNotAnswerThen() {
    overdue()
        .after(ofSeconds(20))
        .expect(command("cancel-hotel"))
        .expectHistory(
            "given-up book-hotel it was pending for as long as it may be, and no reply came when it"
                + " was asked once more",
            "compensation-sent book-hotel cancel-hotel")
        .on("cancel-hotel", DONE)
        .expectEnd(COMPENSATED)
        .expectHistory("saga-compensated TIMED_OUT")
        .on("book-hotel", DONE)
        .expect(command("cancel-hotel").again());
  }

  @Test
  void isGivenUpOnAtOnceWhenTheSagaIsCancelledAfterItWasAskedForOnceMore() {
    overdue()
        .cancelled(COMPENSATING)
        .expect(command("cancel-hotel"))
        .on("cancel-hotel", DONE)
        .expectEnd(COMPENSATED);
    overdue().compensatedByOperator().expect(command("cancel-hotel"));
  }

  /** It is the answer to the same question, however often that was sent. */
  @Test
  void anOperatorsRetryAfterThatGivesItNoMoreTime() {
    overdue()
        .after(ofSeconds(15))
        .retriedByOperator()
        .expect(command("book-hotel").again())
        .after(ofSeconds(5).minus(ofMillis(1)))
        .expectNothingMore()
        .after(ofMillis(1))
        .expect(command("cancel-hotel"));
  }

  /** The saga has a minute left: the time in which the answer is waited for is added to it. */
  @Test
  void theDeadlineDoesNotCountTheTimeOfTheLastAnswer() {
    given(
            saga(
                    "journey",
                    1,
                    Journey.book("hotel")
                        .replyWithin(ofHours(2))
                        .await("confirmed")
                        .within(TWO_DAYS),
                    Journey.book("car"))
                .within(ofSeconds(60)))
        .started(Journey.journey())
        .expect(command("book-hotel"))
        .on("book-hotel", PENDING)
        .after(TWO_DAYS)
        .expect(Collections.nCopies(ASKED_BEFORE + 1, command("book-hotel").again()))
        .after(ofHours(2).minus(ofMillis(1)))
        .expectNothingMore()
        .on("book-hotel", DONE)
        .expect(command("book-car"));
  }

  /** Seen red when it was taken for one that was asked for once more. */
  @Test
  void mayBeAwaitedUntilTheVeryMomentAtWhichItsCommandExpires() {
    given(
            saga(
                "journey",
                1,
                Journey.book("hotel").attempts(1).await("confirmed").within(ofSeconds(10))))
        .started(Journey.journey())
        .expect(command("book-hotel"))
        .on("book-hotel", PENDING)
        .on("book-hotel", PENDING)
        .after(ofSeconds(11))
        .expect(command("book-hotel").again())
        .on("book-hotel", DONE)
        .expectEnd(COMPLETED);
  }

  /** The hotel has not confirmed within its two days, and was asked once more. */
  private static SagaDialogue<Journey> overdue() {
    return booked()
        .on("book-hotel", PENDING)
        .after(TWO_DAYS)
        .expect(Collections.nCopies(ASKED_BEFORE + 1, command("book-hotel").again()));
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
