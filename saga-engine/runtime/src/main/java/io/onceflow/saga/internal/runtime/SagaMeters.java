package io.onceflow.saga.internal.runtime;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.onceflow.saga.ItemSteps;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.engine.RequestState;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.store.LockedSaga;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Counts the events of sagas that are committed, and measures their duration. */
final class SagaMeters implements Consumer<LockedSaga<?>> {

  /**
   * From the duration of an undisturbed saga to that of a saga whose steps are resent many times.
   * Few, since each bucket is one time series per step.
   */
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofMillis(2_500),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10),
    Duration.ofSeconds(30),
    Duration.ofMinutes(2),
    Duration.ofMinutes(10)
  };

  private final MeterRegistry registry;
  private final Map<String, Map<HistoryEvent, Counter>> events = new ConcurrentHashMap<>();
  private final Map<Timed, Timer> timers = new ConcurrentHashMap<>();

  private record Timed(String definition, String of, String how) {}

  SagaMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Not before the commit: a transaction that is rolled back and repeated would count twice. */
  @Override
  public void accept(LockedSaga<?> saga) {
    changed(saga.loaded(), saga.state(), saga.history());
    SagaSpans.transition(saga);
  }

  void changed(SagaState before, SagaState after, List<HistoryEntry> history) {
    count(after.definition(), history);
    for (StepState step : after.steps()) {
      before.step(step.name()).ifPresent(was -> answered(after.definition(), was, step));
    }
    Instant endedAt = after.endedAt();
    if (endedAt != null && before.endedAt() == null) {
      record(duration(after), after.startedAt(), endedAt);
    }
  }

  private void answered(String definition, StepState was, StepState is) {
    String step = ItemSteps.stepOf(is.name());
    answered(definition, step, "action", was.action(), is.action());
    answered(definition, step, "compensation", was.compensation(), is.compensation());
  }

  /** A step that was sent and answered by one event ran locally: its latency is not measured. */
  private void answered(
      String definition, String step, String exchange, RequestState was, RequestState is) {
    @Nullable Instant sentAt = was.sentAt();
    @Nullable Instant repliedAt = is.repliedAt();
    if (sentAt != null && was.repliedAt() == null && repliedAt != null) {
      record(latency(definition, step, exchange), sentAt, repliedAt);
    }
  }

  /** What has taken less than no time was ended after the database's clock was set back. */
  private static void record(Timer timer, Instant from, Instant to) {
    if (!to.isBefore(from)) {
      timer.record(Duration.between(from, to));
    }
  }

  private Timer latency(String definition, String step, String exchange) {
    return timers.computeIfAbsent(
        new Timed(definition, step, exchange),
        timed ->
            Timer.builder("onceflow.sagas.step.latency")
                .description("From when a step's message was last sent to the reply that counts")
                .serviceLevelObjectives(BUCKETS)
                .tag("definition", definition)
                .tag("step", step)
                .tag("exchange", exchange)
                .register(registry));
  }

  private Timer duration(SagaState ended) {
    return timers.computeIfAbsent(
        new Timed(ended.definition(), "", ended.status().name()),
        timed ->
            Timer.builder("onceflow.sagas.duration")
                .description("From a saga's start to its end, by how it ended")
                .serviceLevelObjectives(BUCKETS)
                .tag("definition", ended.definition())
                .tag("status", ended.status().name())
                .register(registry));
  }

  private void count(String definition, List<HistoryEntry> history) {
    if (!history.isEmpty()) {
      Map<HistoryEvent, Counter> its = events.computeIfAbsent(definition, this::register);
      history.forEach(line -> its.get(line.event()).increment());
    }
  }

  /**
   * Registers all counters with the first event, so that the first failure shows as an increase.
   */
  private Map<HistoryEvent, Counter> register(String definition) {
    Map<HistoryEvent, Counter> its = new EnumMap<>(HistoryEvent.class);
    for (HistoryEvent event : HistoryEvent.values()) {
      its.put(
          event,
          Counter.builder("onceflow.sagas.events")
              .description("Lines written into the history of sagas, by event")
              .tag("definition", definition)
              .tag("event", event.word())
              .register(registry));
    }
    return its;
  }
}
