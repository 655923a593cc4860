package io.onceflow.saga.internal.store;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/** The clock by which timers fall due. */
final class DatabaseClock {

  private DatabaseClock() {}

  static Instant now(Connection tx) throws SQLException {
    try (PreparedStatement statement = tx.prepareStatement("SELECT statement_timestamp() AS now");
        ResultSet row = statement.executeQuery()) {
      row.next();
      return requireNonNull(SagaRows.instant(row, "now"));
    }
  }
}
