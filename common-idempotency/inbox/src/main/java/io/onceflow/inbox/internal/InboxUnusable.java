package io.onceflow.inbox.internal;

import io.onceflow.core.internal.OnceflowException;
import io.onceflow.core.internal.StepKey;

/** The inbox row could not be read or written, so the transaction must not commit. */
public final class InboxUnusable extends OnceflowException {

  private static final long serialVersionUID = 1L;

  InboxUnusable(StepKey key, Exception cause) {
    super(
        "The inbox row of %s could not be used (%s); roll back and let the message come again"
            .formatted(key, cause.getMessage()),
        cause);
  }
}
