package io.onceflow.redis.internal;

import io.onceflow.idempotency.internal.policy.IdempotencyConfig.Store;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.StoreProvider;
import io.quarkus.arc.InjectableInstance;
import io.vertx.redis.client.Redis;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import java.util.Locale;

/** The stores {@code redis} and {@code hybrid}. */
@ApplicationScoped
class RedisStoreProvider implements StoreProvider {

  private final InjectableInstance<Redis> clients;
  private final Instance<RedisStore> redis;
  private final Instance<RedisCache> front;
  private final Instance<RedisIntegrity> integrity;

  RedisStoreProvider(
      InjectableInstance<Redis> clients,
      Instance<RedisStore> redis,
      Instance<RedisCache> front,
      Instance<RedisIntegrity> integrity) {
    this.clients = clients;
    this.redis = redis;
    this.front = front;
    this.integrity = integrity;
  }

  /**
   * Refuses to start without Redis, and warns of what Redis alone does not guarantee.
   *
   * @throws IllegalStateException if {@code quarkus.redis.hosts} is missing, or in production the
   *     integrity key
   */
  @Override
  public void check(Store store) {
    if (!isConfigured()) {
      throw new IllegalStateException(
          "onceflow.idempotency.store is %s, but no Redis is configured; set quarkus.redis.hosts"
              .formatted(store.name().toLowerCase(Locale.ROOT)));
    }
    if (store == Store.REDIS) {
      redis.get().warn();
    }
  }

  @Override
  public IdempotencyStore provide(Store store, IdempotencyStore postgres) {
    return store == Store.REDIS ? redis.get() : new HybridStore(postgres, front.get());
  }

  /** Without {@code quarkus.redis.hosts} there is an inactive client. */
  private boolean isConfigured() {
    return clients.isResolvable() && clients.getHandle().getBean().isActive();
  }
}
