package io.onceflow.shipping.domain;

import java.util.Objects;
import java.util.UUID;

/** Asks for what was booked for an order to be taken back. */
public record CancelShipmentCommand(UUID orderId) {

  /**
   * @throws NullPointerException when the order is missing
   */
  public CancelShipmentCommand {
    Objects.requireNonNull(orderId, "orderId is missing");
  }
}
