package io.onceflow.inbox.internal;

import io.onceflow.core.internal.OnceflowException;
import io.onceflow.participant.internal.HandlerMethod;
import java.time.Duration;

/** A lease too short for the call that it covers; start-up refuses it. */
public final class LeaseInvalid extends OnceflowException {

  private static final long serialVersionUID = 1L;

  private LeaseInvalid(String what, Duration deadline, InboxConfig config) {
    super(
        ("onceflow.inbox.lease is %s and %s is %s: an owner would be replaced while it still calls;"
                + " make the lease longer than the deadline")
            .formatted(config.lease(), what, deadline));
  }

  public static void check(InboxConfig config) {
    check("onceflow.inbox.call-out.deadline", config.callOut().deadline(), config);
  }

  public static void check(HandlerMethod handler, InboxConfig config) {
    handler
        .callDeadline()
        .ifPresent(deadline -> check("the deadline of " + handler.type(), deadline, config));
  }

  private static void check(String what, Duration deadline, InboxConfig config) {
    if (config.lease().compareTo(deadline) <= 0) {
      throw new LeaseInvalid(what, deadline, config);
    }
  }
}
