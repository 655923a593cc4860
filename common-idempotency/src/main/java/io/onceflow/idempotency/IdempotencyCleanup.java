package io.onceflow.idempotency;

import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Deletes expired records, a bounded number to a transaction, on every replica, without a leader.
 * {@link Housekeeping} calls it by the clock.
 */
@ApplicationScoped
public class IdempotencyCleanup {

  private final IdempotencyConfig config;
  private final DataSource database;
  private final RecordTable records;

  IdempotencyCleanup(IdempotencyConfig config, DataSource database, RecordTable records) {
    this.config = config;
    this.database = database;
    this.records = records;
  }

  /**
   * Deletes what has expired, batch after batch, until a batch is not full.
   *
   * @return how many were deleted
   */
  public int deleteExpired() throws SQLException {
    int deleted = 0;
    int batch;
    do {
      try (Connection connection = database.getConnection()) {
        batch = records.cleanUp(connection, config.cleanupBatchSize());
      }
      deleted += batch;
    } while (batch == config.cleanupBatchSize());
    return deleted;
  }
}
