package io.onceflow.idempotency;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.opentelemetry.api.trace.Span;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Tells operators what becomes of guarded requests: a counter by operation and outcome, a timer of
 * the whole guarded call, a gauge of those that wait, and attributes of the current span.
 */
@ApplicationScoped
class GuardMetrics {

  static final String REQUESTS = "onceflow.idempotency.requests";
  static final String DURATION = "onceflow.idempotency.duration";

  static final String WAITING = "onceflow.idempotency.waiting";

  private final MeterRegistry registry;

  GuardMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  void count(String operation, Outcome outcome) {
    Counter.builder(REQUESTS)
        .description("What became of guarded requests and of abandoned claims")
        .tag("operation", operation)
        .tag("outcome", outcome.tag())
        .register(registry)
        .increment();
    Span.current().setAttribute("onceflow.idempotency.outcome", outcome.tag());
  }

  void watchWaiting(Waiters waiters) {
    Gauge.builder(WAITING, waiters, Waiters::waiting)
        .description("Repeats that wait for the running request, each holding a thread")
        .register(registry);
  }

  Timer.Sample begin(ClaimRequest request) {
    Span.current()
        .setAttribute("onceflow.idempotency.operation", request.operation())
        .setAttribute("onceflow.idempotency.key", request.key().key().value());
    return Timer.start(registry);
  }

  void end(Timer.Sample sample, ClaimRequest request) {
    sample.stop(
        Timer.builder(DURATION)
            .description("Guarded calls from claim to answer, waiting included")
            .tag("operation", request.operation())
            .register(registry));
  }
}
