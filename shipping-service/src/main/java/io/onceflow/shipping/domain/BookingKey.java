package io.onceflow.shipping.domain;

import io.onceflow.core.StepKey;
import io.onceflow.participant.CallKey;

/**
 * What the carrier knows one booking or cancellation by, however often it is asked for.
 *
 * @param scope whose step it is; keys of different scopes never meet
 * @param step the step's key, whose origin keeps the bookings of two orchestrators apart
 */
public record BookingKey(String scope, StepKey step) {

  /** The key of the booking that this step makes. */
  public static BookingKey of(CallKey key) {
    return new BookingKey(key.scope(), key.step());
  }

  /**
   * The key of this booking's cancellation. It follows from the booking, not from who asks: two
   * commands that would take the same booking back are one cancellation to the carrier.
   */
  public BookingKey cancellation() {
    String cancellation =
        switch (step.step()) {
          case "arrange-return" -> "cancel-return";
          case "arrange-shipment" -> "cancel-shipment";
          default -> step.step() + "+cancellation";
        };
    return new BookingKey(scope, step.sibling(cancellation));
  }

  @Override
  public String toString() {
    return step.toString();
  }
}
