package io.onceflow.simulation.outbox;

import io.onceflow.outbox.internal.OutboxConfig;
import io.onceflow.outbox.internal.OutboxStore;
import io.onceflow.outbox.internal.TransactionalOutbox;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.outbox.internal.relay.RelayBatch;
import io.onceflow.outbox.internal.relay.RelaySignal;
import io.onceflow.outbox.internal.transport.Publisher;
import io.onceflow.simulation.Defaults;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** Units of work and the relay of production, over a simulated database and broker. */
public final class SimulatedOutbox {

  private static final OutboxConfig.Relay CONFIG = Defaults.config(OutboxConfig.class).relay();

  private final DataSource source;
  private final OutboxStore store;

  /**
   * @param connect a connection of a process to its database
   */
  public SimulatedOutbox(Connecting connect, OutboxStore store) {
    this.source = source(connect);
    this.store = store;
  }

  /** Connects. */
  @FunctionalInterface
  public interface Connecting {

    /** A connection with a transaction that has just started. */
    Connection connect() throws SQLException;
  }

  /** Transactions of a process. */
  public UnitOfWork unitOfWork() {
    TransactionalOutbox outbox =
        new TransactionalOutbox(
            source, store, refusing(TransactionSynchronizationRegistry.class), new RelaySignal());
    return new UnitOfWork(source, outbox);
  }

  /** One turn after the other of the relay of a process. */
  public Turn relay(Publisher publisher) {
    return new RelayBatch(source, store, publisher, CONFIG, Defaults.METRICS)::relay;
  }

  /** One turn of the relay. */
  @FunctionalInterface
  public interface Turn {

    /** Claims, publishes, deletes; true when there is probably more. */
    boolean take() throws SQLException, IOException, InterruptedException;
  }

  private static DataSource source(Connecting connect) {
    return (DataSource)
        Proxy.newProxyInstance(
            SimulatedOutbox.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> connect.connect());
  }

  private static <T> T refusing(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            SimulatedOutbox.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              throw new UnsupportedOperationException(method.getName());
            }));
  }

  /** How often each process polls the outbox without a notification. */
  public static Duration pollInterval() {
    return CONFIG.pollInterval();
  }
}
