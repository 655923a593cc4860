package io.onceflow.redis.internal;

import java.util.regex.Pattern;

/** Redis did not answer, not in time, or with an error. The effect of the command is unknown. */
final class RedisUnusable extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * A command for another type, or a line of a script that cannot calculate with what it has read.
   * Other errors are of the moment, also those that start with ERR; before Redis 7 all errors
   * within a script do.
   */
  private static final Pattern WRONG_FORM =
      Pattern.compile(
          "(ERR .*user_script:\\d+: attempt to |(ERR .*user_script:\\d+: )?WRONGTYPE ).*");

  private final boolean ofWrongForm;

  RedisUnusable(String what, Throwable cause) {
    super(what + ": " + cause, cause);
    String answer = String.valueOf(cause.getMessage());
    this.ofWrongForm = WRONG_FORM.matcher(answer).matches();
  }

  /** Whether what is stored under the key has another form than it was written in. */
  boolean isOfWrongForm() {
    return ofWrongForm;
  }
}
