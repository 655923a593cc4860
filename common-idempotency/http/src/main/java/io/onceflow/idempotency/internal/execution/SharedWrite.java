package io.onceflow.idempotency.internal.execution;

import java.sql.SQLException;
import java.util.List;

/**
 * Writes the items of methods with {@code @Idempotent(mode = SHARED)}. It gets all items of one
 * commit at once, so that it can write in sets.
 *
 * <p>It is called in the transaction that also writes the idempotency records, on a worker thread:
 * without a caller, a request scope or a current span. (If the store cannot share commits, it is
 * called in the request's transaction, with one item.) An exception rolls back the whole commit.
 * The items are then tried one by one, so it may be called again with the same item; and it may be
 * called with an item whose request is finally answered by another process. Hence it must have no
 * effect outside of the transaction.
 *
 * @param <T> what is written for one request
 */
@FunctionalInterface
public interface SharedWrite<T> {

  /**
   * Writes all items.
   *
   * @param items at least one, in the order in which their requests were decided
   * @throws SQLException if the database refuses
   */
  void write(List<T> items) throws SQLException;
}
