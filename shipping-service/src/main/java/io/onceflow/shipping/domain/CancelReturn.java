package io.onceflow.shipping.domain;

import io.onceflow.message.Command;
import io.onceflow.message.Undoes;
import java.util.Objects;
import java.util.UUID;

/** Asks for the booking of a return to be taken back. */
@Command("shipping.cancel-return")
@Undoes(ArrangeReturn.class)
public record CancelReturn(UUID returnId, UUID orderId) {

  /**
   * @throws NullPointerException when a part is missing
   */
  public CancelReturn {
    Objects.requireNonNull(returnId, "returnId is missing");
    Objects.requireNonNull(orderId, "orderId is missing");
  }
}
