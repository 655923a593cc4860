package io.onceflow.saga;

import static io.onceflow.saga.Journey.book;
import static io.onceflow.saga.Journey.decide;
import static io.onceflow.saga.Journey.journey;
import static io.onceflow.saga.Journey.tell;
import static io.onceflow.saga.PlaceOrder.done;
import static io.onceflow.saga.PlaceOrder.refused;
import static io.onceflow.saga.Saga.CancelOutcome.COMPENSATING;
import static io.onceflow.saga.Saga.CancelOutcome.TOO_LATE;
import static io.onceflow.saga.Saga.SagaStatus.COMPENSATED;
import static io.onceflow.saga.Saga.SagaStatus.COMPLETED;
import static io.onceflow.saga.Saga.SagaStatus.RUNNING;
import static io.onceflow.saga.SagaDefinition.choice;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.start;
import static io.onceflow.test.ExpectedCommand.command;
import static io.onceflow.test.SagaDialogue.given;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.internal.engine.SignalStanding;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.test.SagaDialogue;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A saga that starts another one, and waits for its end. */
class ChildDialogueTest {

  private static final SagaDefinition<Journey> DEFINITION =
      saga("j", 1, decide("trip"), errand().otherwise(tell("ada")), tell("bob"));

  private static Wait<Journey> errand() {
    return start("errand", Journey.Errand.class, Journey::errand);
  }

  private static SagaDialogue<Journey> started() {
    return given(DEFINITION)
        .started(journey())
        .expect(command("decide-trip"))
        .on(done("decide-trip"))
        .expectStarted("errand", journey().marked("decide-trip").errand());
  }

  @Test
  void continuesWhenTheOtherIsComplete() {
    SagaDialogue<Journey> saga =
        started()
            .childEnded("errand", COMPLETED)
            .expect(command("tell-bob"))
            .on(done("tell-bob"))
            .expectEnd(COMPLETED);
    assertThat(status(saga, "tell-ada")).isEqualTo(StepStatus.SKIPPED);
    assertThat(status(saga, "errand")).isEqualTo(StepStatus.SUCCEEDED);
  }

  @Test
  void takesItsOtherWayWhenTheOtherIsCompensated() {
    SagaDialogue<Journey> saga =
        started()
            .childEnded("errand", COMPENSATED)
            .expect(command("tell-ada"))
            .on(done("tell-ada"))
            .expect(command("tell-bob"));
    assertThat(status(saga, "errand")).isEqualTo(StepStatus.REFUSED);
  }

  @Test
  void hasItUndoneThatRunsWhenItIsCancelled() {
    startedBeforeThePivot()
        .cancelled(COMPENSATING)
        .expectUndone("errand")
        .expectStatus(SagaStatus.COMPENSATING)
        .childEnded("errand", COMPENSATED)
        .expect(command("cancel-room"))
        .on(done("cancel-room"))
        .expectEnd(COMPENSATED);
  }

  @Test
  void hasItUndoneThatWasCompleteWhenALaterStepIsRefused() {
    SagaDialogue<Journey> saga =
        startedBeforeThePivot()
            .childEnded("errand", COMPLETED)
            .expect(command("decide-trip"))
            .on(refused("decide-trip"))
            .expectUndone("errand");
    UUID child = child(saga);
    saga.expectHistory("compensation-sent errand saga " + child)
        .childEnded("errand", COMPENSATED)
        .expect(command("cancel-room"))
        .expectHistory(
            "compensated errand by saga %s: it was compensated, CANCELLED".formatted(child),
            "compensation-sent book-room cancel-room");
    assertThat(child(saga)).isEqualTo(child);
  }

  /** Told while it was about to be complete, it has not been undone. */
  @Test
  void tellsItAgainThatWasCompletedMeanwhile() {
    startedBeforeThePivot()
        .cancelled(COMPENSATING)
        .expectUndone("errand")
        .childEnded("errand", COMPLETED)
        .expectUndone("errand")
        .childEnded("errand", COMPENSATED)
        .expect(command("cancel-room"));
  }

  @Test
  void tellsItAgainUntilItHasEnded() {
    SagaDialogue<Journey> saga =
        startedBeforeThePivot().compensatedByOperator().expectUndone("errand");
    saga.after(ofSeconds(10)).expectUndone("errand");
    saga.retriedByOperator().expectUndone("errand");
    for (int seconds : new int[] {40, 80, 160, 300, 300, 300, 300, 300}) {
      saga.after(ofSeconds(seconds)).expectUndone("errand");
    }
    saga.after(ofMinutes(30)).expectUndone("errand");
    saga.expectStatus(SagaStatus.COMPENSATING);
  }

  @Test
  void isCompensatedWhenTheOtherIs() {
    startedBeforeThePivot()
        .childEnded("errand", COMPENSATED)
        .expect(command("cancel-room"))
        .on(done("cancel-room"))
        .expectEnd(COMPENSATED)
        .expectHistory("saga-compensated CHILD_COMPENSATED");
  }

  @Test
  void undoesWhatItHasDoneInsteadAndNotTheOtherOnceMore() {
    given(saga("j", 1, errand().otherwise(book("bus")), decide("trip")))
        .started(journey())
        .expectStarted("errand", journey().errand())
        .childEnded("errand", COMPENSATED)
        .expect(command("book-bus"))
        .on(done("book-bus"))
        .expect(command("decide-trip"))
        .on(refused("decide-trip"))
        .expect(command("cancel-bus"))
        .on(done("cancel-bus"))
        .expectEnd(COMPENSATED);
  }

  private static SagaDialogue<Journey> startedBeforeThePivot() {
    return given(saga("j", 1, book("room"), errand(), decide("trip")))
        .started(journey())
        .expect(command("book-room"))
        .on(done("book-room"))
        .expectStarted("errand", journey().marked("book-room").errand());
  }

  @Test
  void knowsWhichSagaItHasStartedAlsoAfterItsEnd() {
    SagaDialogue<Journey> saga = started();
    UUID child = child(saga);
    assertThat(child.version()).isEqualTo(7);

    saga.after(ofMinutes(10))
        .expectHistory("await-over errand not ended, next look at 2026-01-01T12:30:00Z")
        .childEnded("errand", COMPLETED)
        .expectHistory("succeeded errand by saga " + child, "command-sent tell-bob")
        .expect(command("tell-bob"));
    assertThat(child(saga)).isEqualTo(child);
  }

  @Test
  void waitsForAsLongAsTheOtherTakes() {
    started()
        .after(ofDays(30))
        .expectStatus(RUNNING)
        .cancelled(TOO_LATE)
        .childEnded("errand", COMPLETED)
        .expect(command("tell-bob"));
  }

  @Test
  void looksForItsEndAtOnceWhenAnOperatorRetries() {
    SagaDialogue<Journey> saga = started().after(ofDays(1)).retriedByOperator();
    assertThat(saga.state().step("errand").map(StepState::dueAt))
        .hasValue(Instant.parse("2026-01-02T12:00:00Z"));
  }

  @Test
  void anEventOfThatNameDoesNotEndIt() {
    given(DEFINITION)
        .started(journey())
        .expect(command("decide-trip"))
        .expectUntaken("errand", "ada", SignalStanding.NOT_AWAITED);
  }

  @Test
  void startsNothingInABranchThatIsNotTaken() {
    given(
            saga(
                "j",
                1,
                decide("trip"),
                choice("parts")
                    .when("some", (Journey it) -> it.marks().contains("x"), errand().otherwise())
                    .otherwise()))
        .started(journey())
        .expect(command("decide-trip"))
        .on(done("decide-trip"))
        .expectEnd(COMPLETED);
  }

  @Test
  void whatIsStartedHasToBeExpected() {
    SagaDialogue<Journey> saga =
        given(DEFINITION).started(journey()).expect(command("decide-trip")).on(done("decide-trip"));
    assertThatThrownBy(saga::expectNothingMore)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("sagas started");
  }

  private static StepStatus status(SagaDialogue<Journey> saga, String step) {
    return saga.state().step(step).orElseThrow().status();
  }

  private static UUID child(SagaDialogue<Journey> saga) {
    return UUID.fromString(saga.state().step("errand").map(StepState::outcome).orElseThrow());
  }
}
