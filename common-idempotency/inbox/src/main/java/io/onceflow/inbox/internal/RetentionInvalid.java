package io.onceflow.inbox.internal;

import io.onceflow.core.internal.OnceflowException;
import java.time.Duration;

/**
 * Rows of the inbox would be deleted while their steps may still be repeated (rule 14); start-up
 * refuses it.
 */
public final class RetentionInvalid extends OnceflowException {

  private static final long serialVersionUID = 1L;

  private RetentionInvalid(String message) {
    super(message);
  }

  /**
   * Checks a configuration.
   *
   * @throws RetentionInvalid when it is refused
   */
  public static void check(InboxConfig config) {
    checkPromise("onceflow.inbox.saga-deadline", config.sagaDeadline());
    checkPromise("onceflow.inbox.longest-redrive-age", config.longestRedriveAge());
    checkParked(config);
    Duration needed = config.sagaDeadline().plus(config.longestRedriveAge());
    if (config.retention().compareTo(needed) <= 0) {
      throw new RetentionInvalid(
          ("onceflow.inbox.retention is %s, which is not longer than onceflow.inbox.saga-deadline"
                  + " (%s) and onceflow.inbox.longest-redrive-age (%s) together: a step repeated"
                  + " after its row is deleted would take effect twice. Make the retention longer"
                  + " than %s, or shorten the other two")
              .formatted(
                  config.retention(), config.sagaDeadline(), config.longestRedriveAge(), needed));
    }
  }

  /**
   * Checks how long it is remembered what was asked of another system: a compensation, which finds
   * its action in the inbox, would take what is forgotten for never asked.
   *
   * @param key of the configuration
   * @throws RetentionInvalid when it is refused
   */
  public static void checkRequests(String key, Duration kept, InboxConfig config) {
    if (kept.compareTo(config.retention()) <= 0) {
      throw new RetentionInvalid(
          ("%s is %s, which is not longer than onceflow.inbox.retention (%s): requests to"
                  + " the other system would be deleted while its compensation may still arrive,"
                  + " which would then undo nothing. Make it longer than that")
              .formatted(key, kept, config.retention()));
    }
  }

  private static void checkParked(InboxConfig config) {
    Duration kept = config.parkedRetention();
    if (!kept.isZero() && kept.compareTo(config.longestRedriveAge()) < 0) {
      throw new RetentionInvalid(
          ("onceflow.inbox.parked-retention is %s, which is shorter than"
                  + " onceflow.inbox.longest-redrive-age (%s): a parked message would be deleted"
                  + " while it may still be redriven. Make it longer, or zero to keep all")
              .formatted(kept, config.longestRedriveAge()));
    }
  }

  private static void checkPromise(String key, Duration value) {
    if (value.isNegative()) {
      throw new RetentionInvalid(
          "%s is %s; a time cannot be negative, give it zero or more".formatted(key, value));
    }
  }
}
