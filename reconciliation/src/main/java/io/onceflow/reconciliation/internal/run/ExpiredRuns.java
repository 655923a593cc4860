package io.onceflow.reconciliation.internal.run;

import io.onceflow.internal.retention.CollectedTable;
import io.onceflow.internal.retention.ExpiringTable;
import io.onceflow.reconciliation.internal.ReconciliationConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;

/** Runs that ended longer ago than they are kept. */
@ApplicationScoped
class ExpiredRuns implements ExpiringTable {

  private final ReconciliationConfig config;

  ExpiredRuns(ReconciliationConfig config) {
    this.config = config;
  }

  @Override
  public Optional<CollectedTable> expiring() {
    return Optional.of(config.retention())
        .filter(Duration::isPositive)
        .map(
            kept ->
                CollectedTable.byAge(
                    "reconciliation_run", "finished_at", kept, "finished_at IS NOT NULL"));
  }
}
