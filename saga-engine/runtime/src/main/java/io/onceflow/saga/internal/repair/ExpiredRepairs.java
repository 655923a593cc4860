package io.onceflow.saga.internal.repair;

import io.onceflow.sql.ExpiringTable;
import io.onceflow.sql.ExpiringTable.CollectedTable;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/** Repairs that ended longer ago than they are kept, with the lists of their sagas. */
@ApplicationScoped
class ExpiredRepairs implements ExpiringTable {

  /** A repair takes as many rows with it as it has sagas, which may be very many. */
  private static final int ROWS_OF_EACH = 1_000;

  private final RepairConfig config;

  ExpiredRepairs(RepairConfig config) {
    this.config = config;
  }

  @Override
  public Optional<CollectedTable> expiring() {
    return CollectedTable.byAge(
        "saga_repair", "finished_at", config.retention(), "finished_at IS NOT NULL");
  }

  @Override
  public int rowsOfEach() {
    return ROWS_OF_EACH;
  }
}
