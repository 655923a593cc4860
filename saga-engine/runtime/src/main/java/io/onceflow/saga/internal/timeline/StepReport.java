package io.onceflow.saga.internal.timeline;

import io.onceflow.inbox.internal.HandledStep;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a service said of the steps of a saga.
 *
 * @param steps those that it knows; empty where it did not answer
 * @param why why it did not answer, in a sentence; null where it did
 */
record StepReport(String service, List<HandledStep> steps, @Nullable String why) {

  static StepReport of(String service, List<HandledStep> steps) {
    return new StepReport(service, steps, null);
  }

  static StepReport missing(String service, String why) {
    return new StepReport(service, List.of(), why);
  }

  Optional<HandledStep> find(String name) {
    return steps.stream().filter(step -> step.step().equals(name)).findFirst();
  }
}
