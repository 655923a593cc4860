package io.onceflow.quarkus.runtime.dev;

import io.onceflow.saga.Choice;
import io.onceflow.saga.ItemSteps;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.Step;
import io.onceflow.saga.Step.Compensation;
import io.onceflow.saga.Wait;
import java.util.List;
import java.util.Locale;

/**
 * A saga's definition, for a picture.
 *
 * @param name with its version
 * @param columns in the order in which they are taken; the steps of one run at the same time
 */
public record DrawnDefinition(String name, List<List<DrawnStep>> columns) {

  /**
   * A step.
   *
   * @param kind {@code send}, {@code run}, {@code pivot}, {@code choice}, {@code items}, {@code
   *     event}, {@code sleep}, {@code approval} or {@code child}
   * @param compensation what undoes it; empty where nothing does
   * @param ways what is part of it
   */
  public record DrawnStep(String name, String kind, String compensation, List<DrawnWay> ways) {

    static DrawnStep of(Step<?> step) {
      return new DrawnStep(
          step.name(),
          step.isPivot() ? "pivot" : kind(step),
          step.compensation().map(Compensation::name).orElse(""),
          DrawnWay.of(step));
    }

    private static String kind(Step<?> step) {
      return switch (step) {
        case Step.Send<?> send -> "send";
        case Step.Run<?> run -> "run";
        case Choice<?> choice -> "choice";
        case ItemSteps<?, ?> items -> "items";
        case Wait<?> wait -> wait.kind().name().toLowerCase(Locale.ROOT);
      };
    }
  }

  /**
   * One way to go on from a step.
   *
   * @param name a branch, {@code otherwise} or {@code fallback}
   * @param columns as those of the definition; none where what is behind the step comes next
   */
  public record DrawnWay(String name, List<List<DrawnStep>> columns) {

    static List<DrawnWay> of(Step<?> step) {
      if (step instanceof Choice<?> choice) {
        return choice.branches().stream()
            .map(branch -> new DrawnWay(branch.name(), drawn(branch.parts())))
            .toList();
      }
      String name = step instanceof Wait ? Choice.OTHERWISE : "fallback";
      return step.ways().stream().map(way -> new DrawnWay(name, drawn(way))).toList();
    }
  }

  static DrawnDefinition of(SagaDefinition<?> definition) {
    return new DrawnDefinition(definition.toString(), drawn(definition.parts()));
  }

  private static List<List<DrawnStep>> drawn(List<? extends StepGroup<?>> parts) {
    return parts.stream().map(DrawnDefinition::column).toList();
  }

  private static List<DrawnStep> column(StepGroup<?> part) {
    return part.members().stream().map(step -> DrawnStep.of(step)).toList();
  }
}
