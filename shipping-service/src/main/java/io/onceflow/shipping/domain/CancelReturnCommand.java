package io.onceflow.shipping.domain;

import java.util.Objects;
import java.util.UUID;

/** Asks for the booking of a return to be taken back. */
public record CancelReturnCommand(UUID returnId, UUID orderId) {

  /**
   * @throws NullPointerException when a part is missing
   */
  public CancelReturnCommand {
    Objects.requireNonNull(returnId, "returnId is missing");
    Objects.requireNonNull(orderId, "orderId is missing");
  }
}
