package io.onceflow.conformance;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A saga as a product shows it.
 *
 * @param error the type of the error that ended it; empty if there is none
 * @param steps those that are shown
 */
record SagaSnapshot(State state, String error, Map<SuiteStep, State> steps) {

  /** The state of a saga or of a step. */
  enum State {
    /** Of a step only. */
    PENDING,
    RUNNING,
    COMPLETED,
    /** Of a saga: it is not completed without an operator, or until a cause is repaired. */
    FAILED,
    COMPENSATING,
    COMPENSATED
  }

  /** Not if it has failed: it may be repaired. */
  boolean isEnded() {
    return state == State.COMPLETED || state == State.COMPENSATED;
  }

  /** Reads lines such as {@code state=RUNNING} and {@code first=COMPLETED}. */
  static SagaSnapshot parse(String text) {
    Map<String, String> values = new HashMap<>();
    text.lines()
        .map(line -> line.split("=", 2))
        .filter(line -> line.length == 2)
        .forEach(line -> values.put(line[0].toUpperCase(Locale.ROOT), line[1]));
    Map<SuiteStep, State> steps = new EnumMap<>(SuiteStep.class);
    for (SuiteStep step : SuiteStep.values()) {
      if (values.containsKey(step.name())) {
        steps.put(step, State.valueOf(values.get(step.name())));
      }
    }
    return new SagaSnapshot(
        State.valueOf(values.get("STATE")), values.getOrDefault("ERROR", ""), steps);
  }
}
