package io.onceflow.outbox.internal;

import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import javax.sql.DataSource;

/**
 * A {@link UnitOfWork} whose transactions are JTA's, so that JPA entities take part: they are
 * loaded into the transaction's persistence context, which is thrown away when it rolls back.
 */
@Singleton
@Typed(JtaUnitOfWork.class) // injected where it is asked for by this name alone
public class JtaUnitOfWork extends UnitOfWork {

  private static final String NOT_COMMITTED = "the transaction was not committed";

  private static final String TIMED_OUT =
      "the transaction took longer than its timeout and was rolled back";

  private final UserTransaction transaction;

  JtaUnitOfWork(DataSource database, TransactionalOutbox outbox, UserTransaction transaction) {
    super(database, outbox);
    this.transaction = transaction;
  }

  @Override
  public boolean isJta() {
    return true;
  }

  @Override
  public <T> T call(Work<T> work) throws SQLException {
    begin();
    T result;
    try {
      result = join(work, true);
    } catch (SQLException | RuntimeException | Error failure) {
      boolean isTimedOut = isTimedOut();
      rollBack(failure);
      if (isTimedOut && !(failure instanceof Error)) {
        throw new SQLTransientConnectionException(TIMED_OUT, failure);
      }
      throw failure;
    }
    commit();
    return result;
  }

  private void begin() {
    try {
      transaction.begin();
    } catch (NotSupportedException | SystemException e) {
      throw new IllegalStateException("a transaction cannot be begun here", e);
    }
  }

  /**
   * Whether the transaction manager has rolled it back meanwhile, on a thread of its own. What the
   * work came to then, on a connection that was taken from it, says nothing of the work.
   */
  private boolean isTimedOut() {
    try {
      return switch (transaction.getStatus()) {
        case Status.STATUS_ROLLEDBACK, Status.STATUS_ROLLING_BACK -> true;
        default -> false;
      };
    } catch (SystemException e) {
      return false;
    }
  }

  /**
   * What fails before the commit is the work's own failure, such as a flush of entities that the
   * database refuses; what fails in it may have been committed, and is retried.
   */
  private void commit() throws SQLException {
    try {
      if (transaction.getStatus() == Status.STATUS_MARKED_ROLLBACK) {
        transaction.rollback();
        throw new IllegalStateException("the work has marked its transaction for rollback");
      }
      if (isTimedOut()) {
        transaction.rollback();
        throw new SQLTransientConnectionException(TIMED_OUT);
      }
      transaction.commit();
    } catch (RollbackException e) {
      throw refused(e);
    } catch (HeuristicMixedException | HeuristicRollbackException | SystemException e) {
      throw new SQLTransientConnectionException(NOT_COMMITTED, e);
    }
  }

  /** By its first failure of the database, which tells whether to wait for that. */
  private static SQLException refused(RollbackException failure) {
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException refusal) {
        return new SQLException(NOT_COMMITTED, refusal.getSQLState(), failure);
      }
    }
    if (failure.getCause() != null) {
      throw new IllegalStateException(NOT_COMMITTED, failure);
    }
    return new SQLTransientConnectionException(NOT_COMMITTED, failure);
  }

  private void rollBack(Throwable failure) {
    try {
      transaction.rollback();
    } catch (SystemException | IllegalStateException e) {
      failure.addSuppressed(e);
    }
  }
}
