package io.onceflow.saga.internal.retention;

import io.onceflow.core.internal.OnceflowException;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.saga.internal.runtime.SagaConfig;
import java.time.Duration;

/**
 * The root key of a deleted saga would count as new while participants still remember its step keys
 * (rule 14); start-up refuses it.
 */
final class SagaRetentionInvalid extends OnceflowException {

  private static final long serialVersionUID = 1L;

  private SagaRetentionInvalid(String message) {
    super(message);
  }

  /**
   * Checks a configuration.
   *
   * @throws SagaRetentionInvalid when it is refused
   */
  static void check(SagaConfig config, InboxConfig inbox) {
    if (config.retention().isNegative()) {
      throw new SagaRetentionInvalid(
          "onceflow.saga.retention is %s; a time cannot be negative, and zero keeps all sagas"
              .formatted(config.retention()));
    }
    Duration needed = inbox.retention().plus(inbox.longestRedriveAge());
    if (config.rootKeyRetention().compareTo(needed) < 0) {
      throw new SagaRetentionInvalid(
          ("onceflow.saga.root-key-retention is %s, which is shorter than onceflow.inbox.retention"
                  + " (%s) and onceflow.inbox.longest-redrive-age (%s) together: a client's key"
                  + " that is used again would meet the steps of the first saga, which"
                  + " participants remember. Make it %s at least")
              .formatted(
                  config.rootKeyRetention(), inbox.retention(), inbox.longestRedriveAge(), needed));
    }
  }
}
