package io.onceflow.outbox;

import io.onceflow.outbox.Outbox.Transaction;
import java.sql.SQLException;

/**
 * Transactions for code that writes by JDBC and in sets: what is written on the connection and what
 * is sent commit together or not at all. Inject it. Code that writes by JPA in
 * {@code @Transactional} methods needs {@link Outbox} alone.
 */
public interface Transactions {

  /** What is done in one transaction. */
  @FunctionalInterface
  interface Work<T> {

    /** Reads, decides and writes; throwing rolls everything back. */
    T in(Transaction tx) throws SQLException;
  }

  /**
   * Runs the work in a new transaction and commits it.
   *
   * @throws SQLException when the database refuses or is unavailable; nothing is kept then, unless
   *     the connection broke during the commit itself, which is then unknown. Repeating is safe for
   *     work that goes through the inbox.
   */
  <T> T call(Work<T> work) throws SQLException;

  /**
   * Runs the work in the JTA transaction that the caller has open, such as a guarded method's. The
   * caller commits; the messages are published after that.
   *
   * @throws SQLException when the database refuses; the caller's transaction must not commit then
   * @throws IllegalStateException when no transaction is open
   */
  <T> T join(Work<T> work) throws SQLException;
}
