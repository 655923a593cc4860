package io.onceflow.conformance;

import java.util.Locale;

/**
 * The result of a scenario.
 *
 * @param evidence what the ledger has recorded and the state that the product shows, or why there
 *     is none
 */
record ScenarioResult(SagaScenario scenario, Verdict verdict, String evidence) {

  /** Whether the scenario holds. */
  enum Verdict {
    PASS,
    FAIL,
    /** The product has no such function. */
    UNSUPPORTED,
    /** It was not tried. */
    NOT_COVERED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** A product cannot do what a scenario needs, or its adapter does not try. */
  static final class Skipped extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Verdict verdict;

    /**
     * @param verdict UNSUPPORTED where the product has no such function, or NOT_COVERED
     */
    Skipped(Verdict verdict, String why) {
      super(why);
      this.verdict = verdict;
    }

    Verdict verdict() {
      return verdict;
    }
  }
}
