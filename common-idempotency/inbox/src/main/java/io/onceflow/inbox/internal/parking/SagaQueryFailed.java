package io.onceflow.inbox.internal.parking;

import io.onceflow.core.internal.OnceflowException;

/** A parked message's saga could not be asked whether it still wants that message. */
public final class SagaQueryFailed extends OnceflowException {

  private static final long serialVersionUID = 1L;

  /**
   * @param why for an operator
   */
  public SagaQueryFailed(String why) {
    super(why);
  }
}
