package io.onceflow.internal.retention;

import io.onceflow.internal.database.LongStatements;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** The expired rows of one table. Each statement is a transaction of its own. */
final class ExpiredRows {

  /** No request waits for a batch. One that takes longer needs a smaller batch size. */
  static final Duration LONGEST_STATEMENT = Duration.ofMinutes(1);

  private final CollectedTable table;
  private final DataSource database;

  ExpiredRows(CollectedTable table, DataSource database) {
    this.table = table;
    this.database = database;
  }

  /**
   * Deletes one batch.
   *
   * @param grace how much longer than usual rows are kept
   * @return how many were deleted
   */
  int delete(Duration grace, int limit) throws SQLException {
    return LongStatements.call(
        database,
        LONGEST_STATEMENT,
        connection ->
            Sql.update(connection, table.delete(), table.kept().plus(grace).toMillis(), limit));
  }

  /** Counts the expired rows, with the same grace. */
  Backlog backlog(Duration grace) throws SQLException {
    return LongStatements.call(
        database, LONGEST_STATEMENT, connection -> backlog(connection, grace));
  }

  private Backlog backlog(Connection connection, Duration grace) throws SQLException {
    try (PreparedStatement measure = connection.prepareStatement(table.backlog())) {
      measure.setLong(1, table.kept().plus(grace).toMillis());
      measure.setInt(2, Backlog.COUNTED);
      try (ResultSet row = measure.executeQuery()) {
        row.next();
        Duration since = Duration.ofMillis(row.getLong(2)).minus(table.kept()).minus(grace);
        return row.getLong(1) == 0 ? Backlog.NONE : new Backlog(row.getLong(1), since);
      }
    }
  }
}
