package io.onceflow.conformance;

/** The steps of the suite's saga, in their order. */
enum SuiteStep {
  FIRST,
  /** In the second version of the saga only. */
  EXTRA,
  MIDDLE,
  LAST;

  /** What a participant is asked to do. */
  enum Act {
    /** The action. */
    DO,
    /** The compensation. */
    UNDO
  }
}
