package io.onceflow.quarkus.runtime.dev;

import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.Step;
import io.onceflow.saga.Step.Compensation;
import java.util.List;

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
   * @param kind {@code send}, {@code run} or {@code pivot}
   * @param compensation what undoes it; empty where nothing does
   */
  public record DrawnStep(String name, String kind, String compensation) {

    static DrawnStep of(Step<?> step) {
      return new DrawnStep(
          step.name(),
          step.isPivot() ? "pivot" : step instanceof Step.Send ? "send" : "run",
          step.compensation().map(Compensation::name).orElse(""));
    }
  }

  static DrawnDefinition of(SagaDefinition<?> definition) {
    return new DrawnDefinition(
        definition.toString(), definition.parts().stream().map(DrawnDefinition::column).toList());
  }

  private static List<DrawnStep> column(StepGroup<?> part) {
    return part.members().stream().map(step -> DrawnStep.of(step)).toList();
  }
}
