package io.onceflow.idempotency;

import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;

/** Counts guarded requests by what became of them. */
@ApplicationScoped
class GuardMetrics {

  private final MeterRegistry registry;

  GuardMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  void executed() {
    count("executed");
  }

  void released() {
    count("released");
  }

  void replayed() {
    count("replayed");
  }

  void reused() {
    count("reused");
  }

  void rejectedInFlight() {
    count("rejected-in-flight");
  }

  private void count(String outcome) {
    registry.counter("onceflow.idempotency.requests", "outcome", outcome).increment();
  }
}
