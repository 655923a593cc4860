package io.onceflow.outbox.internal;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.outbox.Outbox;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.relay.PublishReservation;
import io.onceflow.outbox.internal.relay.RelaySignal;
import io.onceflow.outbox.internal.transport.LocalReceivers;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/** The outbox in the application's database: rows are written on the caller's connection. */
@ApplicationScoped
public class TransactionalOutbox implements Outbox {

  private static final Logger LOG = Logger.getLogger(TransactionalOutbox.class);

  private final DataSource database;
  private final OutboxStore table;
  private final TransactionSynchronizationRegistry transactions;
  private final RelaySignal signal;

  @Inject
  public TransactionalOutbox(
      DataSource database,
      ObjectMapper json,
      TransactionSynchronizationRegistry transactions,
      RelaySignal signal) {
    this(database, new OutboxTable(json), transactions, signal);
  }

  public TransactionalOutbox(
      DataSource database,
      OutboxStore table,
      TransactionSynchronizationRegistry transactions,
      RelaySignal signal) {
    this.database = database;
    this.table = table;
    this.transactions = transactions;
    this.signal = signal;
  }

  @Override
  public void send(Collection<OutboxMessage> messages) {
    requireTransaction();
    PublishReservation reservation = signal.reserve();
    try (Connection connection = database.getConnection()) {
      reservation.write(connection, table, messages, false);
    } catch (SQLException e) {
      throw new OutboxWriteFailed(messages.size(), e);
    }
    afterCommit(reservation, List.of());
  }

  void requireTransaction() {
    if (transactions.getTransactionStatus() != Status.STATUS_ACTIVE) {
      throw new IllegalStateException(
          "no transaction is open; send from a method that is @Idempotent or @Transactional");
    }
  }

  /** Publishes after the commit of the caller's JTA transaction, and runs what else follows. */
  void afterCommit(PublishReservation reservation, List<Runnable> others) {
    transactions.registerInterposedSynchronization(new AtEnd(reservation, List.copyOf(others)));
  }

  /** Runs all of them; the transaction is committed, so a failure of one is logged alone. */
  static void runAll(List<Runnable> listeners) {
    for (Runnable listener : listeners) {
      try {
        listener.run();
      } catch (RuntimeException | Error e) {
        LOG.error(
            "a listener of a committed transaction failed; the transaction stays committed", e);
      }
    }
  }

  /** Receivers of this process, which get messages without a row. */
  LocalReceivers localReceivers() {
    return signal.localReceivers();
  }

  /**
   * Records messages on a connection whose transaction the caller ends.
   *
   * @param again those that are left out if an equal one waits to be published
   * @param isLast see {@link PublishReservation#write}
   */
  void write(
      PublishReservation reservation,
      Connection connection,
      List<OutboxMessage> messages,
      List<OutboxMessage> again,
      boolean isLast)
      throws SQLException {
    List<OutboxMessage> all = new ArrayList<>(messages);
    all.addAll(toSendAgain(connection, again));
    reservation.write(connection, table, all, isLast);
  }

  /** Before messages are written. */
  PublishReservation reserve() {
    return signal.reserve();
  }

  /** Those of the messages that do not wait to be published already. */
  private List<OutboxMessage> toSendAgain(Connection connection, Collection<OutboxMessage> messages)
      throws SQLException {
    Set<UUID> waiting = table.waiting(connection, messages);
    return messages.stream().filter(message -> !waiting.contains(message.id())).toList();
  }

  private record AtEnd(PublishReservation reservation, List<Runnable> listeners)
      implements Synchronization {

    @Override
    public void beforeCompletion() {
      // Nothing to flush: the rows are written already.
    }

    @Override
    public void afterCompletion(int status) {
      if (status == Status.STATUS_COMMITTED) {
        reservation.committed();
        runAll(listeners);
      } else {
        reservation.rolledBack();
      }
    }
  }
}
