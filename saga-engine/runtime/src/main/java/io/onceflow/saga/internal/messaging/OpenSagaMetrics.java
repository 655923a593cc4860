package io.onceflow.saga.internal.messaging;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.onceflow.internal.watchdog.PeriodicTask;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.overview.Overviews;
import io.onceflow.saga.internal.store.view.SagaCounts;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.eclipse.microprofile.health.Readiness;
import org.jspecify.annotations.Nullable;

/**
 * Gauges of the sagas that have not ended, by status, in quarantine and on hold. Every replica
 * counts all of them, so do not add up replicas. They are counted at intervals and not on every
 * scrape, so that the number of scrapes does not load the database. While the database is
 * unavailable, the gauges have no value.
 */
@ApplicationScoped
class OpenSagaMetrics {

  /** When everything else runs. */
  private static final int LAST = Interceptor.Priority.APPLICATION + 1000;

  private static final Duration EVERY = Duration.ofSeconds(10);

  private final Overviews overviews;
  private final UnknownSagas unknown;
  private final MultiGauge awaited;
  private final PeriodicTask task = new PeriodicTask("saga-metrics", this::count);
  private volatile @Nullable SagaCounts counted;

  OpenSagaMetrics(Overviews overviews, @Readiness UnknownSagas unknown, MeterRegistry registry) {
    this.overviews = overviews;
    this.unknown = unknown;
    this.awaited =
        MultiGauge.builder("onceflow.sagas.awaiting")
            .description(
                "Sagas that wait for an answer, by what to; the same number on every replica")
            .register(registry);
    Gauge.builder("onceflow.sagas.quarantined", () -> read(SagaCounts::quarantined))
        .description("Sagas in quarantine: handling them fails; the same number on every replica")
        .register(registry);
    Gauge.builder("onceflow.sagas.held", () -> read(SagaCounts::held))
        .description("Sagas that operators hold; the same number on every replica")
        .register(registry);
    Arrays.stream(SagaStatus.values())
        .filter(status -> !status.isEnd())
        .forEach(status -> register(registry, status));
    Gauge.builder("onceflow.sagas.most.overdue", () -> read(SagaCounts::mostOverdueSeconds))
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
    Gauge.builder("onceflow.sagas.open", () -> read(it -> it.with(status)))
        .description("Sagas that have not ended, by status; the same number on every replica")
        .tag("status", status.name())
        .register(registry);
  }

  private @Nullable Number read(Function<SagaCounts, @Nullable Number> number) {
    SagaCounts now = counted;
    return now == null ? null : number.apply(now);
  }

  /** As often as dashboards are looked at; a stuck saga has waited for half an hour by then. */
  private void count() throws SQLException {
    try {
      countOpen();
    } finally {
      try {
        unknown.count();
      } finally {
        countAwaited();
      }
    }
  }

  private void countOpen() throws SQLException {
    try {
      counted = overviews.counted().open();
    } catch (SQLException | RuntimeException | Error e) {
      counted = null;
      throw e;
    }
  }

  private void countAwaited() throws SQLException {
    try {
      show(overviews.details().waits().steps());
    } catch (SQLException | RuntimeException | Error e) {
      show(List.of());
      throw e;
    }
  }

  /** Of all versions together. */
  private void show(List<SagaCounts.AtStep> waiting) {
    Map<Tags, Integer> byTags = new LinkedHashMap<>();
    waiting.forEach(it -> byTags.merge(tags(it), it.count(), Integer::sum));
    awaited.register(
        byTags.entrySet().stream()
            .<MultiGauge.Row<?>>map(it -> MultiGauge.Row.of(it.getKey(), it.getValue()))
            .toList(),
        true);
  }

  private static Tags tags(SagaCounts.AtStep waiting) {
    return Tags.of(
        "definition", waiting.definition(),
        "step", waiting.step(),
        "exchange", waiting.direction().equals("forward") ? "action" : "compensation");
  }
}
