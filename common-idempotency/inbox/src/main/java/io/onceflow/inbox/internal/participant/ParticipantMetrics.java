package io.onceflow.inbox.internal.participant;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** What a participant counts, by what became of a command. */
final class ParticipantMetrics {

  private final MeterRegistry registry;

  ParticipantMetrics(MeterRegistry registry) {
    this.registry = registry;
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

  void givenUp() {
    counter("given-up").increment();
  }

  void deferred() {
    counter("deferred").increment();
  }

  void failed() {
    counter("call-failed").increment();
  }

  private Counter counter(String outcome) {
    return Counter.builder("onceflow.inbox.commands")
        .description("Commands by what became of them")
        .tag("outcome", outcome)
        .register(registry);
  }
}
