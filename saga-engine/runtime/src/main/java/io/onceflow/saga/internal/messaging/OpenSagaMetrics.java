package io.onceflow.saga.internal.messaging;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.onceflow.internal.watchdog.PeriodicTask;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.view.OpenSagas;
import io.onceflow.saga.internal.store.view.OpenTimers;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gauges of the sagas that have not ended, by status, and of the sagas in quarantine. Every replica
 * counts all of them, so do not add up replicas. They are counted at intervals and not on every
 * scrape, so that the number of scrapes does not load the database. While the database is away, the
 * gauges have no value.
 */
@ApplicationScoped
class OpenSagaMetrics {

  /** When everything else runs. */
  private static final int LAST = Interceptor.Priority.APPLICATION + 1000;

  /**
   * Counting up to this number takes the database some ten milliseconds; the exact number above it
   * is not needed.
   */
  private static final int MOST_LOOKED_AT = 10_000;

  private static final Duration EVERY = Duration.ofSeconds(10);

  private final UnitOfWork unitOfWork;
  private final OpenTimers timers;
  private final MultiGauge awaited;
  private final PeriodicTask task = new PeriodicTask("saga-metrics", this::count);
  private volatile OpenSagas.@Nullable Numbers counted;

  OpenSagaMetrics(UnitOfWork unitOfWork, MeterRegistry registry, SagaRunners sagas) {
    this.timers = sagas.openTimers();
    this.unitOfWork = unitOfWork;
    this.awaited =
        MultiGauge.builder("onceflow.sagas.awaiting")
            .description(
                "Sagas that wait for an answer, by what to; the same number on every replica")
            .register(registry);
    Gauge.builder("onceflow.sagas.quarantined", () -> read(OpenSagas.Numbers::quarantined))
        .description("Sagas in quarantine: handling them fails; the same number on every replica")
        .register(registry);
    Arrays.stream(SagaStatus.values())
        .filter(status -> !status.isEnd())
        .forEach(status -> register(registry, status));
    Gauge.builder("onceflow.sagas.most.overdue", () -> read(OpenSagas.Numbers::mostOverdueSeconds))
        .description("For how long the most overdue saga has waited for its timer")
        .baseUnit("seconds")
        .register(registry);
  }

  void start(@Observes @Priority(LAST) StartupEvent started) {
    task.start(Duration.ZERO, EVERY);
  }

  void stop(@Observes ShutdownEvent stopping) {
    task.close();
  }

  private void register(MeterRegistry registry, SagaStatus status) {
    Gauge.builder("onceflow.sagas.open", () -> read(it -> it.byStatus().get(status)))
        .description("Sagas that have not ended, by status; the same number on every replica")
        .tag("status", status.name())
        .register(registry);
  }

  private @Nullable Number read(Function<OpenSagas.Numbers, @Nullable Number> number) {
    OpenSagas.Numbers now = counted;
    return now == null ? null : number.apply(now);
  }

  /** As often as dashboards are looked at; a stuck saga has waited for half an hour by then. */
  private void count() throws SQLException {
    try {
      unitOfWork.run(
          tx -> {
            counted = OpenSagas.count(tx.connection(), timers);
            show(OpenSagas.awaited(tx.connection(), timers, MOST_LOOKED_AT));
          });
    } catch (SQLException | RuntimeException | Error e) {
      counted = null;
      show(List.of());
      throw e;
    }
  }

  private void show(List<OpenSagas.Awaited> waiting) {
    awaited.register(waiting.stream().map(OpenSagaMetrics::row).toList(), true);
  }

  private static MultiGauge.Row<?> row(OpenSagas.Awaited waiting) {
    return MultiGauge.Row.of(
        Tags.of(
            "definition", waiting.definition(),
            "step", waiting.step(),
            "exchange", waiting.exchange()),
        waiting.sagas());
  }
}
