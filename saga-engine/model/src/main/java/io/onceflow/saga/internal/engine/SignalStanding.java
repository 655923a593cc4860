package io.onceflow.saga.internal.engine;

/** What a signal is to a saga. */
public enum SignalStanding {
  /** The saga continues, or one of two operators has approved. */
  TAKEN,
  /** The saga will wait for it, and continues at once when it comes to that. */
  KEPT,
  /** A copy of the one that was taken or kept. */
  REPEATED,
  /** An approval by the operator who has given it already; another one has to. */
  SAME_APPROVER,
  /** The saga does not wait for it, or no longer; nothing was changed. */
  NOT_AWAITED
}
