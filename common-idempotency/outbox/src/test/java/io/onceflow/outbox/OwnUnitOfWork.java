package io.onceflow.outbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.outbox.internal.TransactionalOutbox;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.outbox.internal.relay.RelaySignal;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.reflect.Proxy;
import javax.sql.DataSource;

/** Transactions of a test's own, without an application and JTA around them. */
public final class OwnUnitOfWork {

  private OwnUnitOfWork() {}

  /** On this database; whatever it sends lies in the outbox and no relay is woken. */
  public static UnitOfWork on(DataSource database) {
    return on(database, new RelaySignal());
  }

  public static UnitOfWork on(DataSource database, RelaySignal signal) {
    return new UnitOfWork(
        database, new TransactionalOutbox(database, new ObjectMapper(), noJta(), signal));
  }

  private static TransactionSynchronizationRegistry noJta() {
    return (TransactionSynchronizationRegistry)
        Proxy.newProxyInstance(
            OwnUnitOfWork.class.getClassLoader(),
            new Class<?>[] {TransactionSynchronizationRegistry.class},
            (proxy, method, arguments) -> Status.STATUS_NO_TRANSACTION);
  }
}
