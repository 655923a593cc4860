package io.onceflow.reconciliation.internal.run;

import io.onceflow.reconciliation.internal.ReconciliationConfig;
import io.onceflow.sql.ExpiringTable;
import io.onceflow.sql.ExpiringTable.CollectedTable;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** How long runs and closed differences are kept; open differences stay. */
@Singleton
class ReconciliationRetention {

  @Produces
  static ExpiringTable runs(ReconciliationConfig config) {
    return () ->
        CollectedTable.byAge(
            "reconciliation_run", "finished_at", config.retention(), "finished_at IS NOT NULL");
  }

  @Produces
  static ExpiringTable differences(ReconciliationConfig config) {
    return () ->
        CollectedTable.byAge(
            "reconciliation_difference", "closed_at", config.retention(), "closed_at IS NOT NULL");
  }
}
