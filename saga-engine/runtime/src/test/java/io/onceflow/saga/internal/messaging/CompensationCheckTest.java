package io.onceflow.saga.internal.messaging;

import static io.onceflow.saga.Journey.book;
import static io.onceflow.saga.Journey.decide;
import static io.onceflow.saga.Journey.tell;
import static io.onceflow.saga.SagaDefinition.await;
import static io.onceflow.saga.SagaDefinition.choice;
import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.together;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.Journey;
import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.Step;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Steps whose effect would stay. */
class CompensationCheckTest {

  @Test
  void aStepThatNothingUndoesBeforeOneThatMayFail() {
    assertThat(missing(tell("ada"), book("inn"))).containsExactly("tell-ada");
    assertThat(missing(tell("ada"), decide("trip"), tell("hosts"))).containsExactly("tell-ada");
    assertThat(missing(tell("ada"), await("sunrise").within(Duration.ofDays(1))))
        .containsExactly("tell-ada");
  }

  @Test
  void stepsThatAreTakenTogether() {
    assertThat(missing(together(book("inn"), tell("ada")))).containsExactly("tell-ada");
  }

  @Test
  void stepsOfABranchBeforeOneBehindTheChoice() {
    Step<Journey> choice =
        choice("season")
            .when("summer", (Journey journey) -> true, tell("ada"), tell("bob"))
            .otherwise(tell("eve"));

    assertThat(missing(choice)).containsExactly("tell-ada");
    assertThat(missing(choice, book("inn"))).containsExactly("tell-ada", "tell-bob", "tell-eve");
  }

  @Test
  void noneThatIsUndoneOrLastOrPastThePivotOrBestEffort() {
    assertThat(missing(book("inn"), tell("ada"))).isEmpty();
    assertThat(missing(tell("ada").bestEffort(), book("inn"))).isEmpty();
    assertThat(missing(tell("ada"), depart())).isEmpty();
    assertThat(missing(depart(), tell("ada"), tell("bob"))).isEmpty();
  }

  private static Step<Journey> depart() {
    return pivot("depart").run((Journey journey) -> journey.marked("departed"));
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  private static List<String> missing(StepGroup<Journey>... parts) {
    return CompensationCheck.missing(saga("journey", 1, parts));
  }
}
