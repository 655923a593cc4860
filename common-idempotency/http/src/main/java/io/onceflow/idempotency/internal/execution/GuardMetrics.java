package io.onceflow.idempotency.internal.execution;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.onceflow.idempotency.internal.request.WaiterLimit;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.opentelemetry.api.trace.Span;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Metrics of guarded requests: a counter by operation and outcome, a timer of the whole guarded
 * call, a gauge of waiting repeats; and attributes of the current span.
 */
@ApplicationScoped
public class GuardMetrics {

  public static final String REQUESTS = "onceflow.idempotency.requests";
  public static final String DURATION = "onceflow.idempotency.duration";

  public static final String WAITING = "onceflow.idempotency.waiting";

  static final String GROUPS = "onceflow.idempotency.shared.groups";

  private final MeterRegistry registry;
  private final Map<Counted, Counter> counters = new ConcurrentHashMap<>();
  private final Map<String, Timer> timers = new ConcurrentHashMap<>();
  private final DistributionSummary groups;

  private record Counted(String operation, RequestOutcome outcome) {}

  GuardMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.groups =
        DistributionSummary.builder(GROUPS)
            .description("Requests of shared mode that had a commit in common")
            .register(registry);
  }

  public void count(String operation, RequestOutcome outcome) {
    counters.computeIfAbsent(new Counted(operation, outcome), this::counter).increment();
    Span.current().setAttribute("onceflow.idempotency.outcome", outcome.tag());
  }

  private Counter counter(Counted counted) {
    return Counter.builder(REQUESTS)
        .description("Guarded requests and abandoned claims by outcome")
        .tag("operation", counted.operation)
        .tag("outcome", counted.outcome.tag())
        .register(registry);
  }

  void countGroup(int size) {
    groups.record(size);
  }

  public void watchWaiting(WaiterLimit waiters) {
    Gauge.builder(WAITING, waiters, WaiterLimit::waiting)
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
    sample.stop(timers.computeIfAbsent(request.operation(), this::timer));
  }

  private Timer timer(String operation) {
    return Timer.builder(DURATION)
        .description("Guarded calls from claim to answer, waiting included")
        .tag("operation", operation)
        .register(registry);
  }
}
