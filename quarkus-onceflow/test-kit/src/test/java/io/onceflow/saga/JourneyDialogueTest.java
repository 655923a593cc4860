package io.onceflow.saga;

import static io.onceflow.saga.Journey.book;
import static io.onceflow.saga.Journey.journey;
import static io.onceflow.saga.Journey.tell;
import static io.onceflow.saga.PlaceOrder.done;
import static io.onceflow.saga.PlaceOrder.refused;
import static io.onceflow.saga.Saga.SagaStatus.COMPENSATED;
import static io.onceflow.saga.Saga.SagaStatus.COMPLETED;
import static io.onceflow.saga.Saga.SagaStatus.RUNNING;
import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static io.onceflow.test.ExpectedCommand.command;
import static io.onceflow.test.SagaDialogue.given;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Shapes of sagas that an order does not have. */
class JourneyDialogueTest {

  @Test
  void compensatesInReverseOrderOneAfterTheOther() {
    given(saga("journey", 1, book("flight"), book("hotel"), book("car"), book("guide")))
        .started(journey())
        .expect(command("book-flight"))
        .on(done("book-flight", "Booked"))
        .expect(command("book-hotel"))
        .on(done("book-hotel", "Booked"))
        .expect(command("book-car"))
        .on(done("book-car", "Booked"))
        .expect(command("book-guide"))
        .on(refused("book-guide", "Refused", "NO_GUIDE"))
        .expect(command("cancel-car"))
        .on(done("cancel-car", "Cancelled"))
        .expect(command("cancel-hotel"))
        .on(done("cancel-hotel", "Cancelled"))
        .expect(command("cancel-flight"))
        .on(done("cancel-flight", "Cancelled"))
        .expectEnd(COMPENSATED);
  }

  @Test
  void passesByAStepWithoutCompensation() {
    given(saga("journey", 1, book("flight"), tell("friends"), book("car")))
        .started(journey())
        .expect(command("book-flight"))
        .on(done("book-flight", "Booked"))
        .expect(command("tell-friends"))
        .on(done("tell-friends", "Told"))
        .expect(command("book-car"))
        .on(refused("book-car", "Refused", "NO_CAR"))
        .expect(command("cancel-flight"))
        .on(done("cancel-flight", "Cancelled"))
        .expectEnd(COMPENSATED);
  }

  @Test
  void goesOnlyForwardPastThePivot() {
    given(
            saga(
                "journey",
                1,
                book("flight"),
                pivot("depart").run((Journey journey) -> journey.marked("departed")),
                tell("hosts")))
        .started(journey())
        .expect(command("book-flight"))
        .on(done("book-flight", "Booked"))
        .expect(command("tell-hosts"))
        .expectHistory("pivot-passed depart", "command-sent tell-hosts")
        .after(ofSeconds(3))
        .on(refused("tell-hosts", "Refused", "NOBODY_HOME"))
        .expectHistory("refusal-ignored tell-hosts Refused: NOBODY_HOME")
        .expectStatus(RUNNING)
        .after(ofSeconds(7))
        .expect(command("tell-hosts").again())
        .on(done("tell-hosts", "Told"))
        .expectEnd(COMPLETED);
  }

  @Test
  void runsLocalStepsInTheTransitionThatReachesThem() {
    Journey journey =
        given(
                saga(
                    "journey",
                    1,
                    step("pack").run((Journey packing) -> packing.marked("packed")),
                    book("flight"),
                    step("rest").run((Journey resting) -> resting.marked("rested"))))
            .started(journey())
            .expect(command("book-flight"))
            .on(done("book-flight", "Booked"))
            .expectEnd(COMPLETED)
            .expectHistory("succeeded book-flight Booked", "succeeded rest", "saga-completed")
            .subject();

    assertThat(journey.marks()).containsExactly("packed", "book-flight", "rested");
  }

  @Test
  void mayEndTheMomentItStarts() {
    given(saga("journey", 1, pivot("depart").run((Journey journey) -> journey.marked("departed"))))
        .started(journey())
        .expectEnd(COMPLETED);
  }
}
