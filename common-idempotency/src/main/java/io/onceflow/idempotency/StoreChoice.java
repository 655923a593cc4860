package io.onceflow.idempotency;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;

/** Chooses the store by {@code onceflow.idempotency.store}. */
@ApplicationScoped
class StoreChoice {

  @Produces
  @ApplicationScoped
  IdempotencyStore chosen(
      IdempotencyConfig config,
      PostgresStore postgres,
      Instance<RedisStore> redis,
      Instance<HybridStore> hybrid) {
    return switch (config.store()) {
      case POSTGRES -> postgres;
      case HYBRID -> hybrid.get();
      case REDIS -> {
        redis.get().warn();
        yield redis.get();
      }
    };
  }
}
