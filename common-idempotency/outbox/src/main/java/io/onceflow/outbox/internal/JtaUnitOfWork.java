package io.onceflow.outbox.internal;

import io.onceflow.outbox.internal.relay.RelaySignal;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
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

  private final UserTransaction transaction;

  JtaUnitOfWork(
      DataSource database,
      TransactionalOutbox outbox,
      RelaySignal signal,
      UserTransaction transaction) {
    super(database, outbox, signal);
    this.transaction = transaction;
  }

  @Override
  public <T> T call(Work<T> work) throws SQLException {
    begin();
    T result;
    try {
      result = join(work);
    } catch (SQLException | RuntimeException | Error failure) {
      rollBack(failure);
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

  /** What the database has refused by now was refused before: entities are flushed earlier. */
  private void commit() throws SQLException {
    try {
      transaction.commit();
    } catch (RollbackException
        | HeuristicMixedException
        | HeuristicRollbackException
        | SystemException e) {
      throw new SQLTransientConnectionException("the transaction was not committed", e);
    }
  }

  private void rollBack(Throwable failure) {
    try {
      transaction.rollback();
    } catch (SystemException | IllegalStateException e) {
      failure.addSuppressed(e);
    }
  }
}
