package io.onceflow.shipping;

import io.onceflow.internal.retention.CollectedTable;
import io.onceflow.internal.retention.ExpiringTable;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;

/** Shipments whose retention is over, if shipments have one. */
@ApplicationScoped
class ExpiredShipments implements ExpiringTable {

  private final ShipmentConfig config;

  ExpiredShipments(ShipmentConfig config) {
    this.config = config;
  }

  @Override
  public Optional<CollectedTable> expiring() {
    return Optional.of(config.retention())
        .filter(Duration::isPositive)
        .map(kept -> CollectedTable.byAge("shipment", "arranged_at", kept, "true"));
  }
}
