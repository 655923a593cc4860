package io.onceflow.benchmarks.machine;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * What the handler has really done: rows that it wrote.
 *
 * @param count how often it ran
 * @param keys under how many keys
 */
public record Executions(long count, long keys) {

  /** Counts them, in the database. */
  public static Executions count(BenchBackends backends) throws SQLException {
    try (Connection connection = backends.connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT count(*), count(DISTINCT subject) FROM note")) {
      row.next();
      return new Executions(row.getLong(1), row.getLong(2));
    }
  }

  /** Forgets notes, claims and answers, so that no run pays for the rows of another. */
  public static void forget(BenchBackends backends) throws SQLException, IOException {
    try (Connection connection = backends.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("TRUNCATE note, idempotency_record");
    }
    RedisServer.flush(backends.redisPort());
  }
}
