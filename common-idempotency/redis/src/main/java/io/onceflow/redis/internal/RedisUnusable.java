package io.onceflow.redis.internal;

/** Redis did not answer, not in time, or with an error. The effect of the command is unknown. */
final class RedisUnusable extends Exception {

  private static final long serialVersionUID = 1L;

  RedisUnusable(String what, Throwable cause) {
    super(what + ": " + cause, cause);
  }
}
