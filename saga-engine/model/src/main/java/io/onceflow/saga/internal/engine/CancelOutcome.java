package io.onceflow.saga.internal.engine;

/** What cancelling a saga comes to (rule 10). */
public enum CancelOutcome {
  /** Everything has been undone. */
  CANCELLED,
  /** It is being undone. */
  COMPENSATING,
  /** The pivot was passed, or the saga is complete: it stays done. */
  TOO_LATE
}
