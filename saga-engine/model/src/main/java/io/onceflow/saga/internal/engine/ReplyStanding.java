package io.onceflow.saga.internal.engine;

/** What a reply is to its saga, judged by what the step that it answers remembers (rule 7). */
public enum ReplyStanding {
  /** It moves the saga, or is noted in its history. */
  NEW,
  /**
   * A copy of the reply that the step remembers, or a reply to an earlier attempt that the step
   * continued after; changes nothing.
   */
  REPEATED,
  /** It answers what was never sent; changes nothing, so that the reply to come still counts. */
  UNASKED,
  /** The step has another answer, which stands. */
  CONTRADICTS
}
