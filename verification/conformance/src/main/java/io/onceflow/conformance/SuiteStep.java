package io.onceflow.conformance;

import java.util.Locale;

/** The steps of the suite's saga, in their order. */
public enum SuiteStep {
  FIRST,
  /** In the second version of the saga only. */
  EXTRA,
  MIDDLE,
  LAST;

  /** What is done about a step. */
  public enum Act {
    /** The action. */
    DO,
    /** The compensation. */
    UNDO;

    /** As in the path of a request. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** As in the path of a request. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
