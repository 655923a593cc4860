package io.onceflow.payment.domain;

import java.util.Objects;
import java.util.UUID;

/** Asks for the money of an order that went through to be given back. */
public record ReturnPaymentCommand(UUID orderId) {

  /**
   * @throws NullPointerException when the order is missing
   */
  public ReturnPaymentCommand {
    Objects.requireNonNull(orderId, "orderId is missing");
  }
}
