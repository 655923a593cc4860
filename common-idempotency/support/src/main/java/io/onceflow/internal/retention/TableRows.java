package io.onceflow.internal.retention;

import io.onceflow.internal.database.LongStatements;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** The expired rows of a table that needs one statement to delete them, which is a transaction. */
final class TableRows implements ExpiredRows {

  /** No request waits for a batch. One that takes longer needs a smaller batch size. */
  static final Duration LONGEST_STATEMENT = Duration.ofMinutes(1);

  private final CollectedTable table;
  private final DataSource database;

  TableRows(CollectedTable table, DataSource database) {
    this.table = table;
    this.database = database;
  }

  @Override
  public int delete(Duration grace, int limit) throws SQLException {
    return LongStatements.call(
        database,
        LONGEST_STATEMENT,
        connection ->
            Sql.update(connection, table.delete(), table.kept().plus(grace).toMillis(), limit));
  }

  @Override
  public Backlog backlog(Duration grace) throws SQLException {
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
