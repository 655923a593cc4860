package io.onceflow.idempotency.internal.store;

import io.onceflow.idempotency.internal.policy.IdempotencyConfig;

/**
 * Provides the stores of {@code onceflow.idempotency.store} other than PostgreSQL alone. A bean of
 * a module of its own, so that an application without that module has none of its libraries either.
 */
public interface StoreProvider {

  /**
   * Called at start with the store that is configured.
   *
   * @throws IllegalStateException when a setting is missing without which it cannot work
   */
  void check(IdempotencyConfig.Store store);

  /**
   * The store that is configured.
   *
   * @param postgres the store on PostgreSQL, for one that stands in front of it
   */
  IdempotencyStore provide(IdempotencyConfig.Store store, IdempotencyStore postgres);
}
