package io.onceflow.inbox.internal.participant;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.outbox.Outbox.Transaction;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Counts commands by their outcome, once it is committed. */
final class ParticipantMetrics {

  private final Map<Outcome, Counter> counters = new EnumMap<>(Outcome.class);
  private final MinuteCount failedLately = new MinuteCount(System::nanoTime);

  enum Outcome {
    COMPLETED,
    REPEATED,
    TAKEN_OVER,
    FENCED_OFF,
    PENDING,
    GIVEN_UP,
    DEFERRED,
    CALL_FAILED
  }

  /** Each is made at the start, so that the first command shows as an increase. */
  ParticipantMetrics(MeterRegistry registry) {
    for (Outcome outcome : Outcome.values()) {
      counters.put(
          outcome,
          Counter.builder("onceflow.inbox.commands")
              .description("Commands by outcome")
              .tag("outcome", outcome.name().toLowerCase(Locale.ROOT).replace('_', '-'))
              .register(registry));
    }
    Gauge.builder("onceflow.inbox.calls.failed.last.minute", failedLately, MinuteCount::value)
        .description("Calls that failed within the last minute")
        .register(registry);
  }

  void count(Transaction tx, Outcome outcome) {
    count(tx, outcome, 1);
  }

  void count(Transaction tx, Outcome outcome, int commands) {
    tx.afterCommit(
        () -> {
          Objects.requireNonNull(counters.get(outcome)).increment(commands);
          if (outcome == Outcome.CALL_FAILED) {
            failedLately.increment();
          }
        });
  }
}
