package io.onceflow.inbox.internal.call;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.internal.InboxConfig;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A circuit breaker for each type of command, shown as a metric. */
final class CircuitBreakers {

  private final Map<String, CircuitBreaker> breakers = new ConcurrentHashMap<>();
  private final InboxConfig.CallOut.Circuit config;
  private final MeterRegistry metrics;

  CircuitBreakers(InboxConfig.CallOut.Circuit config, MeterRegistry metrics) {
    this.config = config;
    this.metrics = metrics;
  }

  CircuitBreaker of(String type) {
    return breakers.computeIfAbsent(type, this::create);
  }

  private CircuitBreaker create(String type) {
    CircuitBreaker breaker = new CircuitBreaker(type, config, System::nanoTime);
    Gauge.builder("onceflow.inbox.circuit.open", breaker, it -> it.isOpen() ? 1 : 0)
        .description("1 while no calls of this type are made, since most of them failed")
        .tag("type", type)
        .register(metrics);
    return breaker;
  }
}
