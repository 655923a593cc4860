package io.onceflow.conformance;

import io.onceflow.conformance.ScenarioResult.Verdict;

/** A product cannot do what a scenario asks, or its adapter does not try. */
public final class NotProvided extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final Verdict verdict;

  private NotProvided(Verdict verdict, String why) {
    super(why);
    this.verdict = verdict;
  }

  /** The product has no such function; say where its documentation says so. */
  public static NotProvided unsupported(String why) {
    return new NotProvided(Verdict.UNSUPPORTED, why);
  }

  /** The product may be able to; the suite or the adapter does not try. */
  public static NotProvided notCovered(String why) {
    return new NotProvided(Verdict.NOT_COVERED, why);
  }

  Verdict verdict() {
    return verdict;
  }
}
