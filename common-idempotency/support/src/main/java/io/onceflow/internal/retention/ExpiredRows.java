package io.onceflow.internal.retention;

import java.sql.SQLException;
import java.time.Duration;

/** What has expired in one table, and in the tables whose rows go with it. */
public interface ExpiredRows {

  /**
   * Deletes one batch, in a transaction.
   *
   * @param grace how much longer than usual rows are kept; zero where the table has no partitions
   * @param limit how many at most
   * @return how many were deleted; as many as the limit means that more may be left
   */
  int delete(Duration grace, int limit) throws SQLException;

  /** Counts the expired rows that are left, with the same grace. */
  Backlog backlog(Duration grace) throws SQLException;
}
