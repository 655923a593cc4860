package io.onceflow.idempotency;

import io.onceflow.core.IdempotencyKey;
import java.sql.SQLException;
import java.util.List;

/**
 * The current guarded request. Inject it for its key, the root of the step keys of everything that
 * follows from the request.
 */
public interface GuardedRequest {

  /**
   * The client's key.
   *
   * @throws IllegalStateException outside of a guarded method
   */
  IdempotencyKey key();

  /**
   * The lease under which the method runs.
   *
   * @throws IllegalStateException where the method is not {@code @Idempotent(mode = LEASED)}
   */
  Lease lease();

  /**
   * Registers an item to be written for this request. It is written together with the items of
   * other requests, after the method has returned, and only if it returns a success.
   *
   * @param writer the same object for all requests: items of different writers are written apart
   * @throws IllegalStateException where the method is not {@code @Idempotent(mode = SHARED)}
   */
  <T> void write(SharedWrite<T> writer, T item);

  /**
   * Checks that what the method writes commits together with the key's record.
   *
   * @throws IllegalStateException if the method is SHARED or LEASED, whose transactions start later
   */
  void requireTransactional();

  /**
   * Writes the items of methods with {@code @Idempotent(mode = SHARED)}. It gets all items of one
   * commit at once, so that it can write in sets.
   *
   * <p>It is called in the transaction that also writes the idempotency records, on a worker
   * thread: without a caller, a request scope or a current span. (If the store cannot share
   * commits, it is called in the request's transaction, with one item.) An exception rolls back the
   * whole commit. The items are then tried one by one, so it may be called again with the same
   * item; and it may be called with an item whose request is finally answered by another process.
   * Hence it must have no effect outside of the transaction.
   *
   * @param <T> what is written for one request
   */
  @FunctionalInterface
  interface SharedWrite<T> {

    /**
     * Writes all items.
     *
     * @param items at least one, in the order in which their requests were decided
     * @throws SQLException if the database refuses
     */
    void write(List<T> items) throws SQLException;
  }
}
