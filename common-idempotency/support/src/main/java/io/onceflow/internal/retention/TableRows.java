package io.onceflow.internal.retention;

import io.onceflow.internal.database.LongStatements;
import io.onceflow.sql.ExpiringTable.CollectedTable;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** The expired rows of a table that needs one statement to delete them, which is a transaction. */
record TableRows(CollectedTable table, DataSource database) implements ExpiredRows {

  /** No request waits for a batch. One that takes longer needs a smaller batch size. */
  private static final Duration LONGEST_STATEMENT = Duration.ofMinutes(1);

  @Override
  public int delete(int limit) throws SQLException {
    return LongStatements.call(
        database,
        LONGEST_STATEMENT,
        connection -> Sql.update(connection, table.delete(), table.kept().toMillis(), limit));
  }

  @Override
  public Backlog backlog() throws SQLException {
    return LongStatements.call(database, LONGEST_STATEMENT, this::backlog);
  }

  private Backlog backlog(Connection connection) throws SQLException {
    try (PreparedStatement measure = connection.prepareStatement(table.backlog())) {
      measure.setLong(1, table.kept().toMillis());
      measure.setInt(2, Backlog.COUNTED);
      try (ResultSet row = measure.executeQuery()) {
        row.next();
        return row.getLong(1) == 0
            ? Backlog.NONE
            : new Backlog(row.getLong(1), Duration.ofMillis(row.getLong(2)).minus(table.kept()));
      }
    }
  }
}
