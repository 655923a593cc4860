package io.onceflow.shipping.domain;

import io.onceflow.inbox.StepKey;

/**
 * What the carrier knows one booking or cancellation by, however often it is asked for.
 *
 * @param scope whose step it is; keys of different scopes never meet
 * @param step the step's key
 */
public record BookingKey(String scope, StepKey step) {

  /**
   * The key of this booking's cancellation. It follows from the booking, not from who asks: two
   * commands that would take the same booking back are one cancellation to the carrier.
   */
  public BookingKey cancellation() {
    boolean comesBack = step.step().equals(ArrangeReturn.STEP);
    return new BookingKey(scope, step.sibling(comesBack ? CancelReturn.STEP : CancelShipment.STEP));
  }

  @Override
  public String toString() {
    return step.toString();
  }
}
