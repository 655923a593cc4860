package io.onceflow.outbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.outbox.internal.TransactionalOutbox;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.outbox.internal.relay.RelaySignal;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.reflect.Proxy;
import javax.sql.DataSource;

/** Makes a {@link UnitOfWork} without an application around it: {@link UnitOfWork#call} works. */
public final class PlainUnitOfWork {

  private PlainUnitOfWork() {}

  /** One on this database; whatever it sends lies in the outbox and no relay is woken. */
  public static UnitOfWork on(DataSource database) {
    return on(database, new RelaySignal());
  }

  public static UnitOfWork on(DataSource database, RelaySignal signal) {
    TransactionalOutbox outbox =
        new TransactionalOutbox(database, new ObjectMapper(), noTransactions(), signal);
    return new UnitOfWork(database, outbox);
  }

  /** No JTA transaction is ever open. */
  static TransactionSynchronizationRegistry noTransactions() {
    return (TransactionSynchronizationRegistry)
        Proxy.newProxyInstance(
            PlainUnitOfWork.class.getClassLoader(),
            new Class<?>[] {TransactionSynchronizationRegistry.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getTransactionStatus")) {
                return Status.STATUS_NO_TRANSACTION;
              }
              throw new IllegalStateException("no transaction is open");
            });
  }
}
