package io.onceflow.idempotency.internal.store;

import io.onceflow.idempotency.internal.policy.IdempotencyConfig;

/**
 * Provides the stores of {@code onceflow.idempotency.store} other than {@code postgres}. A bean of
 * the optional module onceflow-redis, so that other applications do not get its libraries.
 */
public interface StoreProvider {

  /**
   * Checks the configuration at start.
   *
   * @throws IllegalStateException if a required setting is missing
   */
  void check(IdempotencyConfig.Store store);

  /**
   * The configured store.
   *
   * @param postgres the store on PostgreSQL, which {@code hybrid} uses
   */
  IdempotencyStore provide(IdempotencyConfig.Store store, IdempotencyStore postgres);
}
