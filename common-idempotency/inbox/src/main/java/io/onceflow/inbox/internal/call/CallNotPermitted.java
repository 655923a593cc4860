package io.onceflow.inbox.internal.call;

import io.onceflow.core.internal.OnceflowException;

/**
 * A call to external systems was not made: a circuit is open, a bulkhead is full. Nothing can have
 * happened, so it does not count as an attempt; the step is resumed a little later.
 */
public final class CallNotPermitted extends OnceflowException {

  private static final long serialVersionUID = 1L;

  /**
   * @param why in words
   */
  public CallNotPermitted(String why) {
    super(why);
  }
}
