package io.onceflow.idempotency;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.internal.execution.GuardMetrics;
import io.onceflow.idempotency.internal.execution.RequestOutcome;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Optional;

/** What the guard counted, read from a registry that keeps it. */
@Singleton
class Counts {

  private final MeterRegistry registry;

  Counts(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Quarkus adds it to the application's. */
  @Produces
  @Singleton
  static SimpleMeterRegistry kept() {
    return new SimpleMeterRegistry();
  }

  long of(String operation, RequestOutcome outcome) {
    Counter counter =
        registry
            .find(GuardMetrics.REQUESTS)
            .tags("operation", operation, "outcome", outcome.tag())
            .counter();
    return counter == null ? 0 : (long) counter.count();
  }

  /** How many guarded calls were timed. */
  long timed(String operation) {
    return Optional.ofNullable(
            registry.find(GuardMetrics.DURATION).tags("operation", operation).timer())
        .map(Timer::count)
        .orElse(0L);
  }
}
