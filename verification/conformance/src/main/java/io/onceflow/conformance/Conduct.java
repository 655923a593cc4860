package io.onceflow.conformance;

/** What a participant does with a request. */
public enum Conduct {
  /** Takes effect and answers 200. */
  SUCCEED(true, 200),
  /** Answers 409 with {@link LedgerServer#REFUSAL}; nothing is done. */
  REFUSE(false, 409),
  /** Answers 503; nothing is done, which the caller cannot know. */
  FAIL(false, 503),
  /** Takes effect and answers 503. */
  LOSE_ANSWER(true, 503);

  private final boolean takesEffect;
  private final int status;

  Conduct(boolean takesEffect, int status) {
    this.takesEffect = takesEffect;
    this.status = status;
  }

  boolean takesEffect() {
    return takesEffect;
  }

  int status() {
    return status;
  }
}
