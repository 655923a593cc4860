package io.onceflow.benchmarks.plain;

import io.onceflow.message.Command;
import io.onceflow.message.Undoes;
import java.util.UUID;

/** What the saga asks of the handlers; they answer done or refused, and nothing else. */
final class Messages {

  private Messages() {}

  /** Charge an amount, in minor units. */
  @Command("payment.process")
  record ProcessPayment(UUID orderId, long amount, String method) {}

  /** Give back what was charged. */
  @Command("payment.refund")
  @Undoes(ProcessPayment.class)
  record RefundPayment(UUID orderId) {}

  /** Book a shipment. */
  @Command("shipping.arrange")
  record ArrangeShipment(UUID orderId, String country) {}
}
