package io.onceflow.idempotency;

import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
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
      case REDIS -> redis.get();
    };
  }

  /**
   * Refuses to start without a Redis where one is to be used, before a request finds that out;
   * whether it answers is not asked. The store {@code postgres} touches nothing of Redis.
   */
  void check(
      @Observes StartupEvent starting,
      IdempotencyConfig config,
      Instance<RedisScripts> scripts,
      Instance<RedisStore> redis) {
    if (config.store() != IdempotencyConfig.Store.POSTGRES) {
      scripts.get().check();
    }
    if (config.store() == IdempotencyConfig.Store.REDIS) {
      redis.get().warn();
    }
  }
}
