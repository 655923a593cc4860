package io.onceflow.shipping;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How long shipments are kept. */
@ConfigMapping(prefix = "onceflow.shipment")
interface ShipmentConfig {

  /**
   * How long a shipment is kept after it was arranged or rejected; then it is deleted. Must be
   * longer than an order may be undone or returned, since a refund or a cancellation finds what it
   * undoes by this row. Zero, the default, keeps all shipments: they are business records.
   */
  @WithDefault("PT0S")
  Duration retention();
}
