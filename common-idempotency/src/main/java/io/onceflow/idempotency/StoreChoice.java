package io.onceflow.idempotency;

import io.quarkus.arc.DefaultBean;
import io.quarkus.arc.InjectableInstance;
import io.quarkus.runtime.StartupEvent;
import io.vertx.redis.client.Redis;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import java.util.Locale;

/**
 * Chooses the store by {@code onceflow.idempotency.store}, unless the application has one of its
 * own.
 */
@ApplicationScoped
class StoreChoice {

  /**
   * Refuses to start without a Redis that is asked for, and tells what Redis alone cannot promise.
   *
   * @throws IllegalStateException when {@code quarkus.redis.hosts} is missing, or in production the
   *     key by which records are verified
   */
  void check(
      @Observes StartupEvent starting,
      IdempotencyConfig config,
      InjectableInstance<Redis> clients,
      Instance<RedisStore> redis,
      Instance<RedisIntegrity> integrity) {
    if (config.store() == IdempotencyConfig.Store.POSTGRES) {
      return;
    }
    if (!isConfigured(clients)) {
      throw new IllegalStateException(
          "onceflow.idempotency.store is %s, but no Redis is configured; set quarkus.redis.hosts"
              .formatted(config.store().name().toLowerCase(Locale.ROOT)));
    }
    integrity.get().warn();
    if (config.store() == IdempotencyConfig.Store.REDIS) {
      redis.get().warn();
    }
  }

  /** A client without {@code quarkus.redis.hosts} is there, and inactive. */
  private static boolean isConfigured(InjectableInstance<Redis> clients) {
    return clients.isResolvable() && clients.getHandle().getBean().isActive();
  }

  @Produces
  @DefaultBean
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
}
