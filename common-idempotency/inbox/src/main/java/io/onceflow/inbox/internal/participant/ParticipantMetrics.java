package io.onceflow.inbox.internal.participant;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** What a participant counts, by what became of a command. */
final class ParticipantMetrics {

  private final Counter completed;
  private final Counter repeated;
  private final Counter takenOver;
  private final Counter fencedOff;
  private final Counter pending;
  private final Counter givenUp;
  private final Counter deferred;
  private final Counter failed;
  private final MinuteCount failedLately = new MinuteCount(System::nanoTime);

  ParticipantMetrics(MeterRegistry registry) {
    this.completed = counter(registry, "completed");
    this.repeated = counter(registry, "repeated");
    this.takenOver = counter(registry, "taken-over");
    this.fencedOff = counter(registry, "fenced-off");
    this.pending = counter(registry, "pending");
    this.givenUp = counter(registry, "given-up");
    this.deferred = counter(registry, "deferred");
    this.failed = counter(registry, "call-failed");
    Gauge.builder("onceflow.inbox.calls.failed.last.minute", failedLately, MinuteCount::value)
        .description("Calls that failed within the last minute")
        .register(registry);
  }

  void completed(int count) {
    completed.increment(count);
  }

  void repeated() {
    repeated.increment();
  }

  void takenOver(int count) {
    takenOver.increment(count);
  }

  void fencedOff() {
    fencedOff.increment();
  }

  void pending() {
    pending.increment();
  }

  void givenUp() {
    givenUp.increment();
  }

  void deferred() {
    deferred.increment();
  }

  void failed() {
    failed.increment();
    failedLately.increment();
  }

  /** Each is made at the start, so that the first command shows as an increase. */
  private static Counter counter(MeterRegistry registry, String outcome) {
    return Counter.builder("onceflow.inbox.commands")
        .description("Commands by what became of them")
        .tag("outcome", outcome)
        .register(registry);
  }
}
