package io.onceflow.inbox.internal.participant;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** What a participant counts, by what became of a command. */
final class ParticipantMetrics {

  private final MeterRegistry registry;
  private final MinuteCount failedLately = new MinuteCount(System::nanoTime);

  ParticipantMetrics(MeterRegistry registry) {
    this.registry = registry;
    Gauge.builder("onceflow.inbox.calls.failed.last.minute", failedLately, MinuteCount::value)
        .description("Calls that failed within the last minute")
        .register(registry);
  }

  void completed(int count) {
    counter("completed").increment(count);
  }

  void repeated() {
    counter("repeated").increment();
  }

  void takenOver(int count) {
    counter("taken-over").increment(count);
  }

  void fencedOff() {
    counter("fenced-off").increment();
  }

  void pending() {
    counter("pending").increment();
  }

  void givenUp() {
    counter("given-up").increment();
  }

  void deferred() {
    counter("deferred").increment();
  }

  void failed() {
    counter("call-failed").increment();
    failedLately.increment();
  }

  private Counter counter(String outcome) {
    return Counter.builder("onceflow.inbox.commands")
        .description("Commands by what became of them")
        .tag("outcome", outcome)
        .register(registry);
  }
}
