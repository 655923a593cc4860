package io.onceflow.idempotency;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.opentelemetry.api.trace.Span;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Tells operators what becomes of guarded requests: a counter by operation and outcome, a timer of
 * the whole guarded call, and attributes of the current span.
 */
@ApplicationScoped
class GuardMetrics {

  static final String REQUESTS = "onceflow.idempotency.requests";
  static final String DURATION = "onceflow.idempotency.duration";

  private final MeterRegistry registry;

  GuardMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  void count(String operation, Outcome outcome) {
    registry.counter(REQUESTS, "operation", operation, "outcome", outcome.tag()).increment();
    Span.current().setAttribute("onceflow.idempotency.outcome", outcome.tag());
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
