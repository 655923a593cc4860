package io.onceflow.benchmarks.ceiling;

import java.util.List;

/**
 * What one saga has executed, without what only started or ended transactions and without polls
 * that found nothing.
 *
 * @param steps in their order
 */
public record RecordedSaga(List<RecordedStep> steps) {

  /** How many statements there are. */
  public int statements() {
    return steps.stream().mapToInt(step -> step.statements().size()).sum();
  }
}
