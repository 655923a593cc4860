package io.onceflow.payment;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How long payments are kept. */
@ConfigMapping(prefix = "onceflow.payment")
interface PaymentConfig {

  /**
   * How long a payment is kept after it was made or declined; then it is deleted. Must be longer
   * than an order may be undone or returned, since a refund or a cancellation finds what it undoes
   * by this row. Zero, the default, keeps all payments: they are business records.
   */
  @WithDefault("PT0S")
  Duration retention();
}
