package io.onceflow.saga;

import static io.onceflow.saga.Journey.book;
import static io.onceflow.saga.Journey.journey;
import static io.onceflow.saga.Journey.tell;
import static io.onceflow.saga.PlaceOrder.done;
import static io.onceflow.saga.PlaceOrder.refused;
import static io.onceflow.saga.Saga.CancelOutcome.COMPENSATING;
import static io.onceflow.saga.Saga.SagaStatus.COMPENSATED;
import static io.onceflow.saga.Saga.SagaStatus.COMPLETED;
import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.together;
import static io.onceflow.test.ExpectedCommand.command;
import static io.onceflow.test.SagaDialogue.given;
import static java.time.Duration.ofSeconds;

import io.onceflow.test.SagaDialogue;
import org.junit.jupiter.api.Test;

/** Steps that run at the same time, and what is left of them when one fails. */
class ParallelStepsDialogueTest {

  private static final SagaDefinition<Journey> DEFINITION =
      saga(
          "journey",
          1,
          book("train"),
          together(book("hotel"), book("car"), tell("insurer")),
          pivot("paid").run((Journey journey) -> journey.marked("paid")),
          together(tell("ada"), tell("bob")));

  @Test
  void sendsAllAtOnceAndGoesOnWhenTheLastHasSucceeded() {
    underWay()
        .on(done("book-car"))
        .on(done("tell-insurer"))
        .expectNothingMore()
        .on(done("book-hotel"))
        .expect(command("tell-ada"), command("tell-bob"))
        .on(done("tell-bob"))
        .on(done("tell-ada"))
        .expectEnd(COMPLETED);
  }

  @Test
  void undoesWhatIsDoneOfAGroupAndWaitsForTheRestBeforeItGoesFurtherBack() {
    underWay()
        .on(done("book-car"))
        .on(refused("book-hotel"))
        .expect(command("cancel-car"))
        .on(done("cancel-car"))
        .expectNothingMore()
        .after(ofSeconds(10))
        .expect(command("tell-insurer").again())
        .on(done("tell-insurer"))
        .expect(command("cancel-train"))
        .on(done("cancel-train"))
        .expectEnd(COMPENSATED);
  }

  @Test
  void undoesASiblingThatSucceedsAfterTheGroupHasFailed() {
    underWay()
        .on(refused("book-hotel"))
        .on(refused("tell-insurer"))
        .expectNothingMore()
        .on(done("book-car"))
        .expect(command("cancel-car"))
        .on(done("cancel-car"))
        .expect(command("cancel-train"))
        .on(done("cancel-train"))
        .expectEnd(COMPENSATED);
  }

  @Test
  void undoesAWholeGroupAtTheSameTime() {
    underWay()
        .on(done("book-car"))
        .on(done("book-hotel"))
        .on(refused("tell-insurer"))
        .expect(command("cancel-hotel"), command("cancel-car"))
        .on(done("cancel-hotel"))
        .expectNothingMore()
        .on(done("cancel-car"))
        .expect(command("cancel-train"))
        .on(done("cancel-train"))
        .expectEnd(COMPENSATED);
  }

  @Test
  void waitsForEveryStepOfAGroupWhenItIsCancelled() {
    underWay()
        .cancelled(COMPENSATING)
        .expectNothingMore()
        .on(done("book-car"))
        .expect(command("cancel-car"))
        .on(done("book-hotel"))
        .expect(command("cancel-hotel"))
        .on(done("cancel-hotel"))
        .on(done("cancel-car"))
        .expectNothingMore()
        .on(refused("tell-insurer"))
        .expect(command("cancel-train"))
        .on(done("cancel-train"))
        .expectEnd(COMPENSATED);
  }

  private static SagaDialogue<Journey> underWay() {
    return given(DEFINITION)
        .started(journey())
        .expect(command("book-train"))
        .on(done("book-train"))
        .expect(command("book-hotel"), command("book-car"), command("tell-insurer"));
  }
}
