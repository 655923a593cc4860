package io.onceflow.saga;

import io.onceflow.saga.SagaDefinition.StepGroup;
import java.util.List;

/**
 * Steps that run at the same time. All are sent at once; the saga continues when the last of them
 * has succeeded. When one fails, the saga waits for the outcome of the others and then compensates,
 * at the same time, every step that has or may have taken effect. Only then does it undo the parts
 * before.
 *
 * @param steps at least two
 * @param <D> the subject
 */
record ParallelSteps<D>(List<Step.Send<D>> steps) implements StepGroup<D> {

  /** Copies the steps. */
  public ParallelSteps {
    steps = List.copyOf(steps);
  }

  @Override
  public List<Step<D>> members() {
    return List.copyOf(steps);
  }
}
