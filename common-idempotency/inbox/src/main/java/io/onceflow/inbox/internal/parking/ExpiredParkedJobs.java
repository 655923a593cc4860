package io.onceflow.inbox.internal.parking;

import io.onceflow.sql.ExpiringTable;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;

/** Jobs on groups of parked messages that ended long ago. */
@ApplicationScoped
class ExpiredParkedJobs implements ExpiringTable {

  /** As long as repairs by default; what was done and why stays in the audit log. */
  private static final Duration KEPT = Duration.ofDays(90);

  @Override
  public Optional<CollectedTable> expiring() {
    return CollectedTable.byAge("parked_job", "finished_at", KEPT, "finished_at IS NOT NULL");
  }
}
