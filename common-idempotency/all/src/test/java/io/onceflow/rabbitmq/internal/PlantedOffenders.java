package io.onceflow.rabbitmq.internal;

import io.onceflow.idempotency.internal.store.IdempotencyStore;
import org.jspecify.annotations.Nullable;

/** Classes that break the rules of the architecture, each in one way; never used. */
public final class PlantedOffenders {

  private PlantedOffenders() {}

  static final class KnowsTheGuard {
    @Nullable IdempotencyStore store;
  }

  /** For the rules' test, which is in another package. */
  public static Class<?> knowsTheGuard() {
    return KnowsTheGuard.class;
  }
}
