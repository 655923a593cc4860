package io.onceflow.internal.retention;

import java.sql.SQLException;

/** What has expired in one table, and in the tables whose rows go with it. */
public interface ExpiredRows {

  /**
   * Deletes one batch, in a transaction.
   *
   * @param limit how many at most
   * @return how many were deleted; as many as the limit means that more may be left
   */
  int delete(int limit) throws SQLException;

  /** Counts the expired rows that are left. */
  Backlog backlog() throws SQLException;
}
