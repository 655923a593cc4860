package io.onceflow.saga.internal.overview;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.view.OpenTimers;
import io.onceflow.saga.internal.store.view.SagaCounts;
import io.onceflow.saga.internal.store.view.SagaFlow;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts the sagas for all who look at them: operators, gauges and health checks. */
@ApplicationScoped
public class Overviews {

  private final MeterRegistry meters;
  private final Clock clock;
  private final OpenTimers timers;
  private final SharedReading<Counted> last;

  /** What the database was asked for. */
  public record Counted(
      Instant at, SagaCounts open, List<SagaCounts.AtStep> steps, SagaFlow flow) {}

  Overviews(SagaRunners sagas, UnitOfWork unitOfWork, MeterRegistry meters, Clock clock) {
    this.meters = meters;
    this.clock = clock;
    this.timers = sagas.openTimers();
    this.last =
        new SharedReading<>(sagas.transactions(unitOfWork)::call, this::read, System::nanoTime);
  }

  /**
   * The counts as they are, or were a little while ago.
   *
   * @throws SQLException if they could not be counted
   */
  public Counted counted() throws SQLException {
    return last.get();
  }

  private Counted read(Connection tx) throws SQLException {
    Instant now = clock.instant();
    return new Counted(
        now, SagaCounts.open(tx, timers), SagaCounts.byStep(tx, timers), SagaFlow.read(tx, now));
  }

  /** The same for operators, with what the metrics know of the messages. */
  Overview get() throws SQLException {
    Counted counted = counted();
    SagaCounts open = counted.open();
    SagaFlow flow = counted.flow();
    return new Overview(
        counted.at(),
        open.all(),
        open.with(SagaStatus.RUNNING),
        open.with(SagaStatus.COMPENSATING),
        open.with(SagaStatus.STUCK),
        open.quarantined(),
        open.overdue(),
        gauge("onceflow.inbox.parked.waiting", 1),
        new Overview.OutboxBacklog(
            gauge("onceflow.outbox.waiting", 1), gauge("onceflow.outbox.oldest.age", 1000)),
        flow.startedPerSecond(),
        flow.endedPerSecond(),
        flow.p50Ms(),
        flow.p99Ms(),
        counted.steps());
  }

  /** What a metric shows, which is counted anyway; null while it is not known. */
  private @Nullable Long gauge(String name, double factor) {
    @Nullable Gauge gauge = meters.find(name).gauge();
    double value = gauge == null ? Double.NaN : gauge.value();
    return Double.isNaN(value) ? null : Math.round(value * factor);
  }
}
