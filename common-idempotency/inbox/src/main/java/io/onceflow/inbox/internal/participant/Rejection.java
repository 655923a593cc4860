package io.onceflow.inbox.internal.participant;

/** Why an action was not done, or why its result is unknown; its handler makes the reply. */
public enum Rejection {
  /** Its own compensation came first: it never was done, and never will be (rule 6). */
  CANCELLED,
  /**
   * It was looked at after {@code x-expires-at}: it never was begun, and never will be (rule 11).
   */
  EXPIRED,
  /**
   * Its attempts are used up, or its time is over, and the last word of the outside world is
   * missing: it may have been done. The saga compensates it.
   */
  UNAVAILABLE
}
