package io.onceflow.shipping.domain;

import io.onceflow.message.Command;
import io.onceflow.message.Undoes;
import java.util.Objects;
import java.util.UUID;

/** Asks for what was booked for an order to be taken back. */
@Command("shipping.cancel")
@Undoes(ArrangeShipment.class)
public record CancelShipment(UUID orderId) {

  /**
   * @throws NullPointerException when the order is missing
   */
  public CancelShipment {
    Objects.requireNonNull(orderId, "orderId is missing");
  }
}
