package io.onceflow.test.races;

import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections whose transactions are JTA's, so that what handlers read and write by JPA takes part:
 * one that leaves auto-commit starts a transaction on its thread, and its commit is that one's.
 */
final class JtaConnections {

  private final DataSource database;
  private final UserTransaction transaction;
  private Connection connection;
  private boolean isBegun;

  private JtaConnections(DataSource database, UserTransaction transaction) throws SQLException {
    this.database = database;
    this.transaction = transaction;
    this.connection = database.getConnection();
  }

  static DataSource on(DataSource database, UserTransaction transaction) {
    return Wrapper.around(
        database,
        DataSource.class,
        (method, call) ->
            method.equals("getConnection")
                ? new JtaConnections(database, transaction).connection()
                : call.make());
  }

  private Connection connection() {
    return Wrapper.aroundEach(
        () -> connection,
        Connection.class,
        (method, call) -> {
          switch (method) {
            case "setAutoCommit" -> begin();
            case "commit" -> commit();
            case "rollback" -> rollBack();
            case "close" -> {
              rollBack();
              connection.close();
            }
            default -> {
              return call.make();
            }
          }
          return null;
        });
  }

  /** The transaction has the connections that are opened in it. */
  private void begin() throws SQLException {
    connection.close();
    try {
      transaction.begin();
    } catch (NotSupportedException | SystemException e) {
      throw new IllegalStateException("a transaction cannot be begun here", e);
    }
    isBegun = true;
    connection = database.getConnection();
  }

  private void commit() throws SQLException {
    isBegun = false;
    try {
      transaction.commit();
    } catch (RollbackException | HeuristicMixedException | HeuristicRollbackException e) {
      throw new SQLException("the transaction was not committed", sqlState(e), e);
    } catch (SystemException e) {
      throw new SQLException("the transaction was not committed", e);
    }
  }

  private static @Nullable String sqlState(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException refusal) {
        return refusal.getSQLState();
      }
    }
    return null;
  }

  private void rollBack() throws SQLException {
    if (isBegun) {
      isBegun = false;
      try {
        transaction.rollback();
      } catch (SystemException e) {
        throw new SQLException("the transaction was not rolled back", e);
      }
    }
  }
}
