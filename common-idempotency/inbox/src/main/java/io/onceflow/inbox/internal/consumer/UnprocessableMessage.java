package io.onceflow.inbox.internal.consumer;

import io.onceflow.core.internal.OnceflowException;
import io.onceflow.inbox.internal.parking.ParkingReason;

/** A message that will not be handled however often it is tried; it is parked with this reason. */
public final class UnprocessableMessage extends OnceflowException {

  private static final long serialVersionUID = 1L;

  private final ParkingReason reason;

  /**
   * @param reason under which it is parked
   * @param detail what is wrong with it, for an operator
   */
  public UnprocessableMessage(ParkingReason reason, String detail) {
    super(detail);
    this.reason = reason;
  }

  /** Under which it is parked. */
  public ParkingReason reason() {
    return reason;
  }
}
