package io.onceflow.inbox.internal.audit;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A transaction in which an operator's act and its audit entry are written. */
public final class AuditedTransaction {

  private AuditedTransaction() {}

  /** What is done in it. */
  @FunctionalInterface
  public interface Work<T> {

    /** Acts, and calls {@link AuditLog#record} last; throwing rolls both back. */
    T in(Connection tx) throws SQLException;
  }

  /** Runs the work and commits it. */
  public static <T> T call(DataSource database, Work<T> work) throws SQLException {
    try (Connection tx = database.getConnection()) {
      tx.setAutoCommit(false);
      try {
        T result = work.in(tx);
        tx.commit();
        return result;
      } catch (SQLException | RuntimeException | Error failure) {
        rollBack(tx, failure);
        throw failure;
      }
    }
  }

  private static void rollBack(Connection tx, Throwable failure) {
    try {
      tx.rollback();
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }
}
