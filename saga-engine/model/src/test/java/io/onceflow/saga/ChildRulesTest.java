package io.onceflow.saga;

import static io.onceflow.saga.SagaDefinition.choice;
import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Where a definition may start another saga. */
class ChildRulesTest {

  @Test
  void takesOneBehindThePivot() {
    assertThat(definition(depart("go"), errand().otherwise()).children()).hasSize(1);
  }

  @Test
  void takesOneBehindAChoiceEachOfWhoseBranchesHasAPivot() {
    assertThat(
            definition(
                    choice("way")
                        .when("sea", ChildRulesTest::always, depart("sail"))
                        .otherwise(depart("fly")),
                    errand().otherwise())
                .children())
        .hasSize(1);
  }

  @Test
  void takesOneBeforeThePivotWhichIsUndoneWithIt() {
    assertThat(definition(errand(), depart("go")).undoneChildren())
        .extracting(Wait::name)
        .containsExactly("errand");
    assertThat(definition(errand()).undoneChildren()).hasSize(1);
    assertThat(definition(depart("go"), errand().otherwise()).undoneChildren()).isEmpty();
  }

  @Test
  void takesOneWithAPivotBeforeItOnOnePathWhichIsUndoneOnTheOther() {
    assertThat(
            definition(
                    choice("way").when("sea", ChildRulesTest::always, depart("sail")).otherwise(),
                    errand().otherwise())
                .undoneChildren())
        .hasSize(1);
  }

  @Test
  void takesOneInTheOtherWayOfAnother() {
    assertThat(
            definition(
                    depart("go"),
                    errand()
                        .otherwise(
                            start("again", Journey.Errand.class, Journey::errand).otherwise()))
                .children())
        .extracting(Wait::name)
        .containsExactly("errand", "again");
  }

  @Test
  void refusesOneBehindThePivotThatDoesNotSayWhatIsDoneWhenTheOtherSagaIsCompensated() {
    assertRefused("say with otherwise(...) what is done then", depart("go"), errand());
    assertRefused(
        "say with otherwise(...) what is done then",
        choice("way").when("sea", ChildRulesTest::always, depart("sail")).otherwise(),
        errand());
  }

  @Test
  void refusesATimeThatItWouldNotKeep() {
    assertRefused(
        "has atMost(...) or on(...)",
        depart("go"),
        errand().atMost(Duration.ofDays(1)).otherwise());
  }

  private static Wait<Journey> errand() {
    return start("errand", Journey.Errand.class, Journey::errand);
  }

  private static Step<Journey> depart(String name) {
    return pivot(name).run((Journey journey) -> journey.marked(name));
  }

  private static boolean always(Journey journey) {
    return true;
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  private static SagaDefinition<Journey> definition(StepGroup<Journey>... parts) {
    return saga("journey", 1, parts);
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  private static void assertRefused(String says, StepGroup<Journey>... parts) {
    assertThatExceptionOfType(SagaDefinitionInvalid.class)
        .isThrownBy(() -> saga("journey", 1, parts))
        .withMessageContaining(says);
  }
}
