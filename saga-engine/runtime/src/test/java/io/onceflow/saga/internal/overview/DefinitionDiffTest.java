package io.onceflow.saga.internal.overview;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.internal.overview.DefinitionView.StepOfDefinition;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What differs between two versions. */
class DefinitionDiffTest {

  @Test
  void equalOnesAreTheSame() {
    assertThat(diff(steps("pay", "ship"), steps("pay", "ship"))).containsExactly("pay", "ship");
  }

  @Test
  void addedAndRemovedStepsStandWhereTheyAreAndWere() {
    assertThat(diff(steps("pay", "score", "ship"), steps("reserve", "pay", "ship", "tell")))
        .containsExactly("+reserve", "pay", "-score", "ship", "+tell");
    assertThat(diff(steps("first", "second", "pay"), steps("pay")))
        .containsExactly("-first", "-second", "pay");
  }

  /** The steps around it stay where they are. */
  @Test
  void aStepThatIsTakenAtAnotherPlaceIsTheOnlyOneThatChanged() {
    assertThat(diff(steps("pay", "pick", "pack", "ship"), steps("pick", "pack", "pay", "ship")))
        .containsExactly("pick", "pack", "~pay: taken at another place", "ship");
  }

  @Test
  void whatChangedOfAStepIsSaid() {
    List<StepOfDefinition> before = List.of(step("pay", "step", "refund", null));
    List<StepOfDefinition> after = List.of(step("pay", "parallel", null, 1));

    assertThat(diff(before, after))
        .containsExactly(
            "~pay: kind: parallel, was step; compensation: none, was refund; group: 1, was none");
  }

  @Test
  void aStepThatHasMovedToABranchAndWaitsLongerChanged() {
    assertThat(
            diff(
                List.of(in(null, null, List.of("large", "otherwise"), "within 1 d")),
                List.of(in("deposit", "large", List.of("otherwise"), "within 2 d"))))
        .containsExactly(
            "~pay: part of: deposit (large), was none; ways: otherwise, was large, otherwise;"
                + " terms: within 2 d, was within 1 d");
  }

  private static StepOfDefinition in(
      @Nullable String partOf, @Nullable String way, List<String> ways, String terms) {
    return new StepOfDefinition("pay", "wait", null, null, null, null, partOf, way, ways, terms);
  }

  private static List<String> diff(List<StepOfDefinition> before, List<StepOfDefinition> after) {
    return DefinitionDiff.of(1, before, 2, after).lines().stream()
        .map(DefinitionDiffTest::text)
        .toList();
  }

  private static String text(DefinitionDiff.Line line) {
    return switch (line.change()) {
      case SAME -> line.step();
      case ADDED -> "+" + line.step();
      case REMOVED -> "-" + line.step();
      case CHANGED -> "~%s: %s".formatted(line.step(), line.detail());
    };
  }

  private static List<StepOfDefinition> steps(String... names) {
    return Stream.of(names).map(name -> step(name, "step", null, null)).toList();
  }

  private static StepOfDefinition step(
      String name, String kind, @Nullable String compensation, @Nullable Integer group) {
    return new StepOfDefinition(
        name, kind, "Command", "a-service", compensation, group, null, null, List.of(), null);
  }
}
