package io.onceflow.inbox.internal.parking;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.sql.ExpiringTable;
import io.onceflow.sql.ExpiringTable.CollectedTable;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/**
 * Parked messages that no operator has handled for longer than their retention, if they have one.
 */
@ApplicationScoped
class ExpiredParkedMessages implements ExpiringTable {

  private final InboxConfig config;

  ExpiredParkedMessages(InboxConfig config) {
    this.config = config;
  }

  @Override
  public Optional<CollectedTable> expiring() {
    return CollectedTable.byAge(
        "parked_message", "parked_at", config.parkedRetention(), "next_attempt_at IS NULL");
  }
}
