package io.onceflow.benchmarks.idempotency;

import java.util.Locale;

/** A value of {@code onceflow.idempotency.store}. */
public enum Store {
  POSTGRES,
  HYBRID,
  REDIS;

  /** As the configuration spells it. */
  String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
