package io.onceflow.order.saga;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How long orders are kept. */
@ConfigMapping(prefix = "onceflow.order")
interface OrderConfig {

  /**
   * How long an order is kept after it was placed, with its returns; then it is deleted, once its
   * sagas are deleted ({@code onceflow.saga.retention}). Zero, the default, keeps all orders: they
   * are business records, and laws may say how long they are to be kept.
   */
  @WithDefault("PT0S")
  Duration retention();
}
