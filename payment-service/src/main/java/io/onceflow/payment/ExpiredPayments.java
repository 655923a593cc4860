package io.onceflow.payment;

import io.onceflow.internal.retention.CollectedTable;
import io.onceflow.internal.retention.ExpiringTable;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;

/** Payments whose retention is over, if payments have one. */
@ApplicationScoped
class ExpiredPayments implements ExpiringTable {

  private final PaymentConfig config;

  ExpiredPayments(PaymentConfig config) {
    this.config = config;
  }

  @Override
  public Optional<CollectedTable> expiring() {
    return Optional.of(config.retention())
        .filter(Duration::isPositive)
        .map(kept -> CollectedTable.byAge("payment", "processed_at", kept, "true"));
  }
}
