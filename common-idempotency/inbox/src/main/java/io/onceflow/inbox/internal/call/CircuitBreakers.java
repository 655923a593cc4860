package io.onceflow.inbox.internal.call;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.internal.InboxConfig;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A circuit breaker for each type of command, shown as a metric. */
final class CircuitBreakers {

  private final Map<String, SharedCircuitBreaker> breakers = new ConcurrentHashMap<>();
  private final InboxConfig.CallOut config;
  private final MeterRegistry metrics;

  CircuitBreakers(InboxConfig.CallOut config, MeterRegistry metrics) {
    this.config = config;
    this.metrics = metrics;
  }

  SharedCircuitBreaker of(String type) {
    return breakers.computeIfAbsent(type, this::create);
  }

  private SharedCircuitBreaker create(String type) {
    SharedCircuitBreaker breaker = new SharedCircuitBreaker(type, config, System::nanoTime);
    Gauge.builder("onceflow.inbox.circuit.open", breaker, it -> it.isOpen() ? 1 : 0)
        .description(
            "1 while calls of this type, of all scopes or of one, are not made, since most of them"
                + " failed")
        .tag("type", type)
        .register(metrics);
    return breaker;
  }
}
