package io.onceflow.internal.startup;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/**
 * Finds a pooler such as PgBouncer in transaction mode between the service and PostgreSQL, by two
 * connections: there each transaction may run in another server process. Timeouts and prepared
 * statements, which belong to a session, would be lost there or reach other clients.
 */
final class TransactionPooler {

  /** What a pooler hands out depends on the order in which transactions end. */
  private static final int ROUNDS = 4;

  private TransactionPooler() {}

  /** Whether the connections go through one. */
  static boolean isBetween(Connection one, Connection other) throws SQLException {
    one.setAutoCommit(false);
    other.setAutoCommit(false);
    int server = begin(one);
    if (server == one.unwrap(PGConnection.class).getBackendPID()) {
      one.rollback();
      return false;
    }
    boolean isAnother = false;
    for (int round = 0; round < ROUNDS && !isAnother; round++) {
      begin(other);
      (round % 2 == 0 ? one : other).rollback();
      (round % 2 == 0 ? other : one).rollback();
      isAnother = begin(one) != server;
    }
    one.rollback();
    return isAnother;
  }

  /** Starts a transaction; returns the server process that runs it. */
  private static int begin(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }
}
