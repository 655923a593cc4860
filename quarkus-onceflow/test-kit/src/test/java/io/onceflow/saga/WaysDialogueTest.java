package io.onceflow.saga;

import static io.onceflow.saga.Journey.book;
import static io.onceflow.saga.Journey.journey;
import static io.onceflow.saga.Journey.tell;
import static io.onceflow.saga.PlaceOrder.done;
import static io.onceflow.saga.PlaceOrder.inDoubt;
import static io.onceflow.saga.PlaceOrder.refused;
import static io.onceflow.saga.Saga.CancelOutcome.TOO_LATE;
import static io.onceflow.saga.Saga.SagaStatus.COMPENSATED;
import static io.onceflow.saga.Saga.SagaStatus.COMPLETED;
import static io.onceflow.saga.SagaDefinition.approval;
import static io.onceflow.saga.SagaDefinition.await;
import static io.onceflow.saga.SagaDefinition.choice;
import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.sleep;
import static io.onceflow.test.ExpectedCommand.command;
import static io.onceflow.test.SagaDialogue.given;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.internal.engine.SignalStanding;
import io.onceflow.test.SagaDialogue;
import org.junit.jupiter.api.Test;

/** The other ways of a saga: fallbacks, branches with pivots, waits that are not in time. */
class WaysDialogueTest {

  @Test
  void takesTheFallbackOfARefusedStepInsteadOfGoingBack() {
    given(saga("j", 1, book("inn"), book("train").fallback(book("bus")), book("car")))
        .started(journey())
        .expect(command("book-inn"))
        .on(done("book-inn"))
        .expect(command("book-train"))
        .on(refused("book-train"))
        .expect(command("book-bus"))
        .on(done("book-bus"))
        .expect(command("book-car"))
        .on(refused("book-car"))
        .expect(command("cancel-bus"))
        .on(done("cancel-bus"))
        .expect(command("cancel-inn"))
        .on(done("cancel-inn"))
        .expectEnd(COMPENSATED);
  }

  @Test
  void undoesWhatMayHaveBeenDoneBeforeItsFallback() {
    given(saga("j", 1, book("train").fallback(book("bus"))))
        .started(journey())
        .expect(command("book-train"))
        .on(inDoubt("book-train"))
        .expect(command("cancel-train"))
        .on(done("cancel-train"))
        .expect(command("book-bus"))
        .on(done("book-bus"))
        .expectEnd(COMPLETED);
  }

  @Test
  void skipsTheFallbackOfAStepThatSucceeds() {
    SagaDialogue<Journey> saga =
        given(saga("j", 1, book("train").fallback(book("bus"))))
            .started(journey())
            .expect(command("book-train"))
            .on(done("book-train"))
            .expectEnd(COMPLETED);
    assertThat(saga.state().step("book-bus").orElseThrow().status())
        .isEqualTo(Saga.StepStatus.SKIPPED);
  }

  @Test
  void goesBackWhenTheFallbackFailsAsWell() {
    given(saga("j", 1, book("inn"), book("train").fallback(book("bus"))))
        .started(journey())
        .expect(command("book-inn"))
        .on(done("book-inn"))
        .expect(command("book-train"))
        .on(refused("book-train"))
        .expect(command("book-bus"))
        .on(refused("book-bus"))
        .expect(command("cancel-inn"))
        .on(done("cancel-inn"))
        .expectEnd(COMPENSATED);
  }

  @Test
  void pastThePivotARefusalLeadsToTheFallback() {
    given(saga("j", 1, Journey.decide("trip"), tell("ada").fallback(tell("bob"))))
        .started(journey())
        .expect(command("decide-trip"))
        .on(done("decide-trip"))
        .expect(command("tell-ada"))
        .on(inDoubt("tell-ada"))
        .expectNothingMore()
        .on(refused("tell-ada"))
        .expect(command("tell-bob"))
        .on(done("tell-bob"))
        .expectEnd(COMPLETED);
  }

  @Test
  void aPivotInABranchIsOneOnlyForThatBranch() {
    SagaDefinition<Journey> definition =
        saga(
            "j",
            1,
            book("inn"),
            choice("way")
                .when("decided", (Journey it) -> it.marks().contains("x"), Journey.decide("trip"))
                .otherwise(book("bus")),
            tell("ada"));
    given(definition)
        .started(journey())
        .expect(command("book-inn"))
        .on(done("book-inn"))
        .expect(command("book-bus"))
        .on(done("book-bus"))
        .expect(command("tell-ada"))
        .on(refused("tell-ada"))
        .expect(command("cancel-bus"))
        .on(done("cancel-bus"))
        .expect(command("cancel-inn"));
    given(definition)
        .started(journey().marked("x"))
        .expect(command("book-inn"))
        .on(done("book-inn"))
        .expect(command("decide-trip"))
        .on(done("decide-trip"))
        .expect(command("tell-ada"))
        .cancelled(TOO_LATE)
        .on(refused("tell-ada"))
        .expectStatus(Saga.SagaStatus.RUNNING);
  }

  @Test
  void aWaitThatIsNotInTimeTakesItsOtherWay() {
    given(saga("j", 1, await("news").within(ofHours(1)).otherwise(tell("ada")), tell("bob")))
        .started(journey())
        .after(ofHours(1))
        .expect(command("tell-ada"))
        .expectUntaken("news", "late", SignalStanding.NOT_AWAITED)
        .on(done("tell-ada"))
        .expect(command("tell-bob"));
  }

  @Test
  void pastThePivotAnEventIsWaitedForAgain() {
    given(
            saga(
                "j",
                1,
                pivot("go").run((Journey it) -> it.marked("go")),
                await("news").within(ofHours(1))))
        .started(journey())
        .after(ofHours(5))
        .expectStatus(Saga.SagaStatus.RUNNING)
        .signal("news")
        .expectEnd(COMPLETED);
  }

  @Test
  void asksTwoOperatorsWhoAreNotTheSamePerson() {
    given(saga("j", 1, approval("credit").by("clerk").two().within(ofHours(1))))
        .started(journey())
        .approve("credit", "ann")
        .expectUntaken("credit", "ann", SignalStanding.SAME_APPROVER)
        .expectStatus(Saga.SagaStatus.RUNNING)
        .approve("credit", "bob")
        .expectEnd(COMPLETED);
  }

  @Test
  void aSleepPutsTheDeadlineOff() {
    given(saga("j", 1, sleep("cooling-off", ofDays(14)), tell("ada")).within(ofMinutes(30)))
        .started(journey())
        .after(ofDays(14).minusSeconds(1))
        .expectNothingMore()
        .after(ofSeconds(2))
        .expect(command("tell-ada"));
  }
}
