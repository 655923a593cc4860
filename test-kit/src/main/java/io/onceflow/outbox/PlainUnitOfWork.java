package io.onceflow.outbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.outbox.internal.TransactionalOutbox;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.outbox.internal.relay.RelaySignal;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Makes a {@link UnitOfWork} without an application around it: {@link UnitOfWork#call} works. */
public final class PlainUnitOfWork {

  private PlainUnitOfWork() {}

  /** One on this database; whatever it sends lies in the outbox and no relay is woken. */
  public static UnitOfWork on(DataSource database) {
    return on(database, new RelaySignal());
  }

  public static UnitOfWork on(DataSource database, RelaySignal signal) {
    TransactionalOutbox outbox =
        new TransactionalOutbox(database, new ObjectMapper(), new NoTransactions(), signal);
    return new UnitOfWork(database, outbox, signal);
  }

  /** No JTA transaction is ever open. */
  static final class NoTransactions implements TransactionSynchronizationRegistry {

    @Override
    public @Nullable Object getTransactionKey() {
      return null;
    }

    @Override
    public void putResource(Object key, Object value) {
      throw new IllegalStateException();
    }

    @Override
    public Object getResource(Object key) {
      throw new IllegalStateException();
    }

    @Override
    public void registerInterposedSynchronization(Synchronization sync) {
      throw new IllegalStateException();
    }

    @Override
    public int getTransactionStatus() {
      return Status.STATUS_NO_TRANSACTION;
    }

    @Override
    public void setRollbackOnly() {
      throw new IllegalStateException();
    }

    @Override
    public boolean getRollbackOnly() {
      throw new IllegalStateException();
    }
  }
}
