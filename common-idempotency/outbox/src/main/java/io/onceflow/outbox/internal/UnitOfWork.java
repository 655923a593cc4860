package io.onceflow.outbox.internal;

import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Transactions;
import io.onceflow.outbox.internal.relay.PublishReservation;
import io.onceflow.outbox.internal.transport.LocalReceivers;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;

/**
 * Rule 1: business rows, inbox rows and outbox rows commit together or not at all. Messages are
 * gathered while the work runs and written in one statement before the commit, together with the
 * deletion of those that the broker has confirmed; they are published right after it.
 */
@ApplicationScoped
public class UnitOfWork implements Transactions {

  private final DataSource database;
  private final TransactionalOutbox outbox;

  public UnitOfWork(DataSource database, TransactionalOutbox outbox) {
    this.database = database;
    this.outbox = outbox;
  }

  /** Where the transactions are made. */
  public DataSource database() {
    return database;
  }

  /** What is done in one transaction, without a result. */
  @FunctionalInterface
  public interface Statements {

    /** Reads, decides and writes; throwing rolls everything back. */
    void in(Transaction tx) throws SQLException;
  }

  /** As {@link #call}, for work without a result. */
  public void run(Statements work) throws SQLException {
    call(
        tx -> {
          work.in(tx);
          return true;
        });
  }

  @Override
  public <T> T call(Work<T> work) throws SQLException {
    PublishReservation reservation = outbox.reserve();
    List<Runnable> listeners = new ArrayList<>();
    T result;
    try {
      result =
          DatabaseTransaction.call(
              database,
              connection ->
                  perform(
                      work, new OpenTransaction(connection, listeners), reservation, false, true));
    } catch (SQLException | RuntimeException | Error failure) {
      reservation.rolledBack();
      throw failure;
    }
    // With the connection given back, and where their failure cannot look like one to commit.
    listeners.addFirst(reservation::committed);
    TransactionalOutbox.runAll(listeners);
    return result;
  }

  @Override
  public <T> T join(Work<T> work) throws SQLException {
    return join(work, false);
  }

  /**
   * @param endsWithIt whether the transaction ends with the work, and nothing waits for its locks
   */
  final <T> T join(Work<T> work, boolean endsWithIt) throws SQLException {
    outbox.requireTransaction();
    PublishReservation reservation = outbox.reserve();
    try (Connection connection = database.getConnection()) {
      OpenTransaction tx = new OpenTransaction(connection, new ArrayList<>());
      T result = perform(work, tx, reservation, true, endsWithIt);
      outbox.afterCommit(reservation, tx.listeners);
      return result;
    } catch (SQLException | RuntimeException | Error failure) {
      reservation.rolledBack();
      throw failure;
    }
  }

  /**
   * Does the work, then writes its messages; those that a receiver in this process takes need no
   * row.
   */
  private <T> T perform(
      Work<T> work,
      OpenTransaction tx,
      PublishReservation reservation,
      boolean isJta,
      boolean isLast)
      throws SQLException {
    T result = work.in(tx);
    LocalReceivers local = outbox.localReceivers();
    local.settle(tx, isJta, tx.messages);
    List<OutboxMessage> taken = new ArrayList<>();
    tx.messages.removeIf(message -> local.take(message) && taken.add(message));
    tx.again.removeIf(message -> local.take(message) && taken.add(message));
    if (!taken.isEmpty()) {
      tx.afterCommit(() -> local.deliver(taken));
    }
    outbox.write(reservation, tx.connection, tx.messages, tx.again, isLast);
    return result;
  }

  /** Whether {@link #call} works in JTA transactions. */
  public boolean isJta() {
    return false;
  }

  private static final class OpenTransaction implements Transaction {

    private final Connection connection;
    private final List<OutboxMessage> messages = new ArrayList<>();
    private final List<OutboxMessage> again = new ArrayList<>();
    private final List<Runnable> listeners;

    private OpenTransaction(Connection connection, List<Runnable> listeners) {
      this.connection = connection;
      this.listeners = listeners;
    }

    @Override
    public Connection connection() {
      return connection;
    }

    @Override
    public void send(Collection<OutboxMessage> more) {
      messages.addAll(more);
    }

    @Override
    public void sendAgain(Collection<OutboxMessage> more) {
      again.addAll(more);
    }

    @Override
    public void afterCommit(Runnable listener) {
      listeners.add(listener);
    }
  }
}
