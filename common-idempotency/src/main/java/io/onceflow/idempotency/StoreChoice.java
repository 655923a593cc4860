package io.onceflow.idempotency;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;

/** Chooses the store by {@code onceflow.idempotency.store}. */
@ApplicationScoped
class StoreChoice {

  @Produces
  @ApplicationScoped
  IdempotencyStore chosen(IdempotencyConfig config, PostgresStore postgres) {
    return postgres;
  }
}
