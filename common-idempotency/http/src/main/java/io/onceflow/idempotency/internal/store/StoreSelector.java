package io.onceflow.idempotency.internal.store;

import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.quarkus.arc.DefaultBean;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import java.util.Locale;

/**
 * Selects the store by {@code onceflow.idempotency.store}, unless the application has a bean of
 * that type.
 */
@ApplicationScoped
class StoreSelector {

  /**
   * Refuses to start if the configured store is not available.
   *
   * @throws IllegalStateException if the module or a setting is missing
   */
  void check(
      @Observes StartupEvent starting,
      IdempotencyConfig config,
      Instance<StoreProvider> providers) {
    if (config.store() != IdempotencyConfig.Store.POSTGRES) {
      provider(config.store(), providers).check(config.store());
    }
  }

  @Produces
  @DefaultBean
  @ApplicationScoped
  IdempotencyStore chosen(
      IdempotencyConfig config, PostgresStore postgres, Instance<StoreProvider> providers) {
    return config.store() == IdempotencyConfig.Store.POSTGRES
        ? postgres
        : provider(config.store(), providers).provide(config.store(), postgres);
  }

  private static StoreProvider provider(
      IdempotencyConfig.Store store, Instance<StoreProvider> providers) {
    if (!providers.isResolvable()) {
      throw new IllegalStateException(
          "onceflow.idempotency.store is %s, but the module of that store is missing; add the dependency io.onceflow:onceflow-redis"
              .formatted(store.name().toLowerCase(Locale.ROOT)));
    }
    return providers.get();
  }
}
