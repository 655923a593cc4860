package io.onceflow.idempotency;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.idempotency.internal.execution.SharedWrite;

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
   * @throws IllegalStateException if the method is SHARED or LEASED, whose transactions begin later
   */
  void requireTransactional();
}
