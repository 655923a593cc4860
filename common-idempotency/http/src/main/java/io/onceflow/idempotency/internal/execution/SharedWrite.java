package io.onceflow.idempotency.internal.execution;

import java.sql.SQLException;
import java.util.List;

/**
 * Writes what methods with {@code @Idempotent(mode = SHARED)} decided. It is told everything that
 * goes into one commit at once, so that it can write in sets.
 *
 * <p>It is called in the transaction that holds the idempotency records as well, on a thread that
 * belongs to no request: there is no caller, no request scope, no current span. (Where the store
 * cannot share commits, it is called in its request's own transaction, with one item.) Whatever it
 * throws rolls back the commit of all. They are then tried one by one, so it may be called again
 * with an item that it was given before; and an item may be given whose request is answered
 * elsewhere in the end. Hence it has no effect outside of the transaction.
 *
 * @param <T> what is written for one request
 */
@FunctionalInterface
public interface SharedWrite<T> {

  /**
   * Writes all of it.
   *
   * @param items at least one, in the order in which their requests were decided
   * @throws SQLException when the database refuses
   */
  void write(List<T> items) throws SQLException;
}
