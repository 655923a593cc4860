package io.onceflow.idempotency.internal.execution;

import java.util.Locale;

/** The outcome of a guarded request, or of an abandoned claim. */
public enum RequestOutcome {
  /** It ran and its answer was stored; the answer may be a refusal. */
  EXECUTED,
  /** It was answered 202; the outcome of its background work is counted separately. */
  ACCEPTED,
  /** It got the stored answer. */
  REPLAYED,
  /** It came while the first was running, and was answered 409. */
  REJECTED_IN_FLIGHT,
  /** Its key was used for another request. */
  MISMATCH,
  /** It took over an expired lease; counted in addition to its outcome. */
  TAKEN_OVER,
  /** It ran, and lost its lease to another request before anything was stored. */
  FENCED_OFF,
  /** It failed or was refused, and its key was released. */
  RELEASED,
  /**
   * Its background work failed after the caller was answered 202; the recovery sweep resolves it.
   */
  FAILED,
  /** The store could not be asked, so nothing ran. */
  UNAVAILABLE,
  /** The recovery sweep completed or resumed it after its process died. */
  RECOVERED,
  /** The recovery sweep released its key after its process died. */
  ABANDONED;

  public String tag() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
