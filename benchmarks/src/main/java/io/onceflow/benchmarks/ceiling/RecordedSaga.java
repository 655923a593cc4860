package io.onceflow.benchmarks.ceiling;

import java.util.List;

/**
 * What one saga has executed, without what only began or ended transactions and without polls that
 * found nothing.
 *
 * @param steps in their order
 */
public record RecordedSaga(List<RecordedStep> steps) {

  /** How many statements there are. */
  public int statements() {
    return steps.stream().mapToInt(step -> step.statements().size()).sum();
  }

  /** In how many transactions the services executed them. */
  public int transactions() {
    return steps.stream().mapToInt(RecordedStep::transactions).sum();
  }

  /** The statements for people, a heading for each step. */
  public String describe() {
    StringBuilder text = new StringBuilder();
    for (RecordedStep step : steps) {
      text.append(
          "%s (%s, %d transactions)\n"
              .formatted(step.name(), step.database(), step.transactions()));
      step.statements().forEach(it -> text.append("  ").append(it.oneLine()).append('\n'));
    }
    return text.toString();
  }
}
