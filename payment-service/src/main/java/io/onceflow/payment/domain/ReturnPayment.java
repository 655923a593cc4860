package io.onceflow.payment.domain;

import io.onceflow.message.Command;
import java.util.Objects;
import java.util.UUID;

/**
 * Asks for the money of an order that went through to be given back; step key {@code <root
 * key>:return-payment}.
 */
@Command("payment.return")
public record ReturnPayment(UUID orderId) {

  /**
   * @throws NullPointerException when the order is missing
   */
  public ReturnPayment {
    Objects.requireNonNull(orderId, "orderId is missing");
  }
}
