package io.onceflow.idempotency.internal.execution;

import java.util.Locale;

/** What became of a guarded request, or of an abandoned claim. */
public enum RequestOutcome {
  /** It ran and its answer was kept, be it a refusal. */
  EXECUTED,
  /** It was told 202; what comes of it in the background is counted then. */
  ACCEPTED,
  /** It got the stored answer. */
  REPLAYED,
  /** It came while the first was running, and was told so. */
  REJECTED_IN_FLIGHT,
  /** Its key was used for another request. */
  MISMATCH,
  /** It ran in the place of an owner whose lease had ended; counted beside what came of it. */
  TAKEN_OVER,
  /** It ran, and lost its lease to another before it could keep anything. */
  FENCED_OFF,
  /** It failed or was refused, and its key is free again. */
  RELEASED,
  /** Its work in the background failed after the caller was told 202; the sweep sees to it. */
  FAILED,
  /** The store could not be asked, so nothing ran. */
  UNAVAILABLE,
  /** The sweep completed or resumed it after its owner's death. */
  RECOVERED,
  /** The sweep gave its key free after its owner's death. */
  ABANDONED;

  public String tag() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
