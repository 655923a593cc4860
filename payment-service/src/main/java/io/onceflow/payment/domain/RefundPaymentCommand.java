package io.onceflow.payment.domain;

import java.util.Objects;
import java.util.UUID;

/** Asks for what was charged for an order to be given back. */
public record RefundPaymentCommand(UUID orderId) {

  /**
   * @throws NullPointerException when the order is missing
   */
  public RefundPaymentCommand {
    Objects.requireNonNull(orderId, "orderId is missing");
  }
}
