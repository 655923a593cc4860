package io.onceflow.outbox.internal;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.relay.PublishReservation;
import io.onceflow.outbox.internal.relay.RelaySignal;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;

/**
 * Rule 1: business rows, inbox rows and outbox rows commit together or not at all. Messages are
 * gathered while the work runs and written in one statement before the commit; the relay gets them
 * right after it.
 */
@ApplicationScoped
public class UnitOfWork {

  private final DataSource database;
  private final TransactionalOutbox outbox;
  private final RelaySignal signal;

  public UnitOfWork(DataSource database, TransactionalOutbox outbox, RelaySignal signal) {
    this.database = database;
    this.outbox = outbox;
    this.signal = signal;
  }

  /** Where the transactions are made. */
  public DataSource database() {
    return database;
  }

  /** What is done in one transaction. */
  @FunctionalInterface
  public interface Work<T> {

    /** Reads, decides and writes; throwing rolls everything back. */
    T in(Transaction tx) throws SQLException;
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

  /**
   * Runs the work in a new transaction and commits it.
   *
   * @throws SQLException when the database refuses or is away; nothing is kept then, unless the
   *     connection broke during the commit itself, which is then unknown. Repeating is safe for
   *     work that goes through the inbox.
   */
  public <T> T call(Work<T> work) throws SQLException {
    List<Runnable> toTell = new ArrayList<>();
    T result = commit(work, toTell);
    // With the connection given back, and where a failure to tell cannot look like one to commit.
    TransactionalOutbox.runAll(toTell);
    return result;
  }

  private <T> T commit(Work<T> work, List<Runnable> toTell) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      OpenTransaction tx = new OpenTransaction(connection, toTell);
      try {
        T result = work.in(tx);
        tx.messages.addAll(outbox.toSendAgain(connection, tx.again));
        PublishReservation held = signal.hold();
        outbox.insert(connection, tx.messages, held);
        connection.commit();
        toTell.addFirst(() -> signal.committed(held, tx.messages));
        return result;
      } catch (SQLException | RuntimeException | Error failure) {
        rollBack(connection, failure);
        throw failure;
      }
    }
  }

  /**
   * Runs the work in the JTA transaction that the caller has open, such as a guarded method's. The
   * caller commits; the relay is woken after that.
   *
   * @throws SQLException when the database refuses; the caller's transaction must not commit then
   * @throws IllegalStateException when no transaction is open
   */
  public <T> T join(Work<T> work) throws SQLException {
    outbox.requireTransaction();
    try (Connection connection = database.getConnection()) {
      OpenTransaction tx = new OpenTransaction(connection, new ArrayList<>());
      T result = work.in(tx);
      tx.messages.addAll(outbox.toSendAgain(connection, tx.again));
      PublishReservation held = signal.hold();
      outbox.insert(connection, tx.messages, held);
      outbox.tellAfterCommit(held, tx.messages, tx.toTell);
      return result;
    }
  }

  private static void rollBack(Connection connection, Throwable failure) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  private static final class OpenTransaction implements Transaction {

    private final Connection connection;
    private final List<OutboxMessage> messages = new ArrayList<>();
    private final List<OutboxMessage> again = new ArrayList<>();
    private final List<Runnable> toTell;

    private OpenTransaction(Connection connection, List<Runnable> toTell) {
      this.connection = connection;
      this.toTell = toTell;
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
    public void afterCommit(Runnable told) {
      toTell.add(told);
    }
  }
}
