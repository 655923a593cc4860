package io.onceflow.internal.database;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A transaction on a connection of its own, without JTA. */
public final class DatabaseTransaction {

  private DatabaseTransaction() {}

  /** What is done on a connection. */
  @FunctionalInterface
  public interface Work<T extends @Nullable Object> {

    /** Reads and writes; in a transaction, throwing rolls everything back. */
    T on(Connection connection) throws SQLException;
  }

  /** What is done in one transaction, without a result. */
  @FunctionalInterface
  public interface Statements {

    /** Reads and writes; throwing rolls everything back. */
    void on(Connection connection) throws SQLException;
  }

  /** As {@link #call(DataSource, Work)}, for work without a result. */
  public static void run(DataSource database, Statements work) throws SQLException {
    call(
        database,
        connection -> {
          work.on(connection);
          return null;
        });
  }

  /** Runs the work and commits it. */
  public static <T extends @Nullable Object> T call(DataSource database, Work<T> work)
      throws SQLException {
    try (Connection connection = database.getConnection()) {
      return call(connection, work);
    }
  }

  /** The same on a connection that the caller closes; it is left without autocommit. */
  public static <T extends @Nullable Object> T call(Connection connection, Work<T> work)
      throws SQLException {
    connection.setAutoCommit(false);
    try {
      T result = work.on(connection);
      connection.commit();
      return result;
    } catch (SQLException | RuntimeException | Error failure) {
      try {
        connection.rollback();
      } catch (SQLException e) {
        failure.addSuppressed(e);
      }
      throw failure;
    }
  }
}
