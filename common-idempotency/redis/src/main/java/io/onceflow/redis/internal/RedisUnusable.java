package io.onceflow.redis.internal;

/** Redis did not answer, not in time, or with an error. The effect of the command is unknown. */
final class RedisUnusable extends Exception {

  private static final long serialVersionUID = 1L;

  private final boolean ofWrongForm;

  RedisUnusable(String what, Throwable cause) {
    super(what + ": " + cause, cause);
    String answer = String.valueOf(cause.getMessage());
    this.ofWrongForm = answer.startsWith("WRONGTYPE") || answer.startsWith("ERR ");
  }

  /** Whether what is stored under the key has another form than it was written in. */
  boolean isOfWrongForm() {
    return ofWrongForm;
  }
}
