package io.onceflow.inbox;

import io.onceflow.idempotency.OnceflowException;

/** A lease too short for the call that it covers; start-up refuses it. */
public final class LeaseInvalid extends OnceflowException {

  private static final long serialVersionUID = 1L;

  private LeaseInvalid(InboxConfig config) {
    super(
        ("onceflow.inbox.lease is %s and onceflow.inbox.call-out.deadline is %s: an owner would be"
                + " replaced while it still calls; make the lease longer than the deadline")
            .formatted(config.lease(), config.callOut().deadline()));
  }

  static void check(InboxConfig config) {
    if (config.lease().compareTo(config.callOut().deadline()) <= 0) {
      throw new LeaseInvalid(config);
    }
  }
}
