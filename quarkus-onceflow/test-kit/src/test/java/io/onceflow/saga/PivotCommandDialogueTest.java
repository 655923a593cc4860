package io.onceflow.saga;

import static io.onceflow.saga.Journey.book;
import static io.onceflow.saga.Journey.decide;
import static io.onceflow.saga.Journey.journey;
import static io.onceflow.saga.Journey.tell;
import static io.onceflow.saga.PlaceOrder.done;
import static io.onceflow.saga.PlaceOrder.inDoubt;
import static io.onceflow.saga.PlaceOrder.refused;
import static io.onceflow.saga.Saga.SagaStatus.COMPENSATED;
import static io.onceflow.saga.Saga.SagaStatus.COMPENSATING;
import static io.onceflow.saga.Saga.SagaStatus.COMPLETED;
import static io.onceflow.saga.Saga.SagaStatus.RUNNING;
import static io.onceflow.saga.Saga.SagaStatus.STUCK;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.test.ExpectedCommand.command;
import static io.onceflow.test.SagaDialogue.given;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.test.SagaDialogue;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** A pivot that a participant takes: no return once it is sent. */
class PivotCommandDialogueTest {

  @Test
  void goesOnWhenThePivotIsDone() {
    atThePivot()
        .on(done("decide-trip", "Decided"))
        .expect(command("tell-hosts"))
        .expectHistory(
            "succeeded decide-trip Decided", "pivot-passed decide-trip", "command-sent tell-hosts")
        .on(done("tell-hosts", "Told"))
        .expectEnd(COMPLETED);
  }

  @Test
  void isUndoneWhenTheParticipantRefusesThePivot() {
    atThePivot()
        .on(refused("decide-trip", "Refused", "CARD_DECLINED"))
        .expect(command("cancel-flight"))
        .expectStatus(COMPENSATING)
        .on(done("cancel-flight", "Cancelled"))
        .expectEnd(COMPENSATED);
  }

  @Test
  void cannotBeCancelledOnceThePivotIsSent() {
    atThePivot()
        .cancelled(CancelOutcome.TOO_LATE)
        .expectRefused(
            new SagaEvent.Compensate("op", null), "it has passed its pivot and only goes forward")
        .expectStatus(RUNNING);
  }

  @Test
  void isBeingUndoneForWhoCancelsOnceThePivotIsRefused() {
    atThePivot()
        .cancelled(CancelOutcome.TOO_LATE)
        .on(refused("decide-trip", "Refused", "CARD_DECLINED"))
        .expect(command("cancel-flight"))
        .cancelled(CancelOutcome.COMPENSATING);
  }

  @Test
  void sendsThePivotWithoutExpiryUntilItIsAnswered() {
    SagaDialogue<Journey> dialogue = atThePivot();
    assertThat(dialogue.state().step("decide-trip").orElseThrow().expiresAt()).isNull();
    assertThat(dialogue.state().deadlineAt()).isNull();

    dialogue.after(ofSeconds(10)).expect(command("decide-trip").again());
    assertThat(dialogue.state().status()).isEqualTo(RUNNING);
  }

  /** Ten attempts: 10, 20, 40, 80 and 160 seconds, then five times five minutes. */
  @Test
  void showsAsStuckButIsNotUndoneWhileThePivotIsNotAnswered() {
    given(saga("journey", 1, decide("trip").attempts(1)).within(ofSeconds(15)))
        .started(journey())
        .expect(command("decide-trip"))
        .after(ofSeconds(310).plus(ofMinutes(25)))
        .expect(Collections.nCopies(10, command("decide-trip").again()))
        .expectStatus(STUCK)
        .on(done("decide-trip", "Decided"))
        .expectEnd(COMPLETED);
  }

  @Test
  void waitsOnWhenItIsInDoubtWhetherThePivotWasTaken() {
    atThePivot()
        .on(inDoubt("decide-trip"))
        .expectHistory("refusal-ignored decide-trip InDoubt: UNAVAILABLE")
        .expectStatus(RUNNING)
        .after(ofSeconds(10))
        .expect(command("decide-trip").again())
        .on(done("decide-trip", "Decided"))
        .expect(command("tell-hosts"));
  }

  @Test
  void isUndoneByItsDeadlineOnlyWhileThePivotIsNotSent() {
    given(saga("journey", 1, book("flight"), decide("trip")).within(ofSeconds(30)))
        .started(journey())
        .expect(command("book-flight"))
        .on(done("book-flight", "Booked"))
        .expect(command("decide-trip"))
        .after(ofSeconds(10))
        .expect(command("decide-trip").again())
        .after(ofSeconds(19))
        .expectStatus(RUNNING);
  }

  private static SagaDialogue<Journey> atThePivot() {
    return given(saga("journey", 1, book("flight"), decide("trip"), tell("hosts")))
        .started(journey())
        .expect(command("book-flight"))
        .on(done("book-flight", "Booked"))
        .expect(command("decide-trip"));
  }
}
