package io.onceflow.conformance;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Properties;

/**
 * A saga as a product shows it.
 *
 * @param error the type of the error that ended it; empty where there is none
 * @param steps those that are shown
 */
public record SeenSaga(State state, String error, Map<SuiteStep, StepState> steps) {

  /** The state of a saga. */
  public enum State {
    /** It runs, forward or in compensation. */
    RUNNING,
    COMPLETED,
    /** What was done is undone. */
    COMPENSATED,
    /** It needs a person, and the product says so. */
    FAILED;

    boolean isEnd() {
      return this != RUNNING;
    }
  }

  /** The state of a step. */
  public enum StepState {
    PENDING,
    RUNNING,
    DONE,
    FAILED,
    COMPENSATING,
    COMPENSATED
  }

  /** Reads the text that a worker answers: {@code state=RUNNING}, {@code first=DONE}, and so on. */
  static SeenSaga parse(String text) {
    Properties lines = new Properties();
    try {
      lines.load(new StringReader(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<SuiteStep, StepState> steps = new EnumMap<>(SuiteStep.class);
    for (SuiteStep step : SuiteStep.values()) {
      String state = lines.getProperty(step.word());
      if (state != null) {
        steps.put(step, StepState.valueOf(state));
      }
    }
    return new SeenSaga(
        State.valueOf(lines.getProperty("state")), lines.getProperty("error", ""), steps);
  }
}
