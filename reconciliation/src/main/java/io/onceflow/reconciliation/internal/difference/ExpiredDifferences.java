package io.onceflow.reconciliation.internal.difference;

import io.onceflow.internal.retention.CollectedTable;
import io.onceflow.internal.retention.ExpiringTable;
import io.onceflow.reconciliation.internal.ReconciliationConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;

/** Differences that were closed longer ago than they are kept; open ones stay. */
@ApplicationScoped
class ExpiredDifferences implements ExpiringTable {

  private final ReconciliationConfig config;

  ExpiredDifferences(ReconciliationConfig config) {
    this.config = config;
  }

  @Override
  public Optional<CollectedTable> expiring() {
    return Optional.of(config.retention())
        .filter(Duration::isPositive)
        .map(
            kept ->
                CollectedTable.byAge(
                    "reconciliation_difference", "closed_at", kept, "closed_at IS NOT NULL"));
  }
}
