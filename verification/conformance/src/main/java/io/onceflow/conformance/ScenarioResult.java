package io.onceflow.conformance;

import java.util.Locale;

/**
 * What a scenario came to.
 *
 * @param evidence the effects in the ledger and the state that the product shows, or why there are
 *     none
 */
public record ScenarioResult(SagaScenario scenario, Verdict verdict, String evidence) {

  /** Whether the scenario holds. */
  public enum Verdict {
    PASS,
    FAIL,
    /** The product has no such function. */
    UNSUPPORTED,
    /** It was not tried. */
    NOT_COVERED;

    /** For people. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }
}
