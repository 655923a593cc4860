package io.onceflow.saga.internal.overview;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.ReplyPolicy;
import io.onceflow.saga.internal.store.view.FailingSteps;
import io.onceflow.saga.internal.store.view.FailureGroups;
import io.onceflow.saga.internal.store.view.OpenTimers;
import io.onceflow.saga.internal.store.view.SagaCounts;
import io.onceflow.saga.internal.store.view.SagaFlow;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Counts the sagas for all who look at them: operators, gauges and health checks. */
@ApplicationScoped
public class Overviews {

  private final ReplyPolicy policy;
  private final MeterRegistry meters;
  private final Clock clock;
  private final OpenTimers timers;
  private final OpenTimers timersOfDetails;
  private final SharedReading<Counted> last;
  private final SharedReading<Details> lastDetails;
  private final SharedReading<FailureGroups> lastFailures;

  /** How many there are. */
  public record Counted(Instant at, SagaCounts open) {}

  /**
   * What else a page shows of them. It is read apart, so that alarms of stuck sagas work while it
   * takes too long.
   */
  public record Details(SagaCounts.Waits waits, SagaFlow flow) {}

  Overviews(SagaRunners sagas, UnitOfWork unitOfWork, MeterRegistry meters, Clock clock) {
    this.policy = sagas.replyPolicy();
    this.meters = meters;
    this.clock = clock;
    this.timers = sagas.openTimers();
    this.timersOfDetails = sagas.openTimers();
    this.last =
        new SharedReading<>(sagas.transactions(unitOfWork)::call, this::count, System::nanoTime);
    this.lastDetails =
        new SharedReading<>(
            sagas.transactions(unitOfWork)::call, this::readDetails, System::nanoTime);
    OpenTimers timersOfFailures = sagas.openTimers();
    this.lastFailures =
        new SharedReading<>(
            sagas.transactions(unitOfWork)::call,
            tx -> FailingSteps.groups(tx, timersOfFailures),
            System::nanoTime);
  }

  /**
   * The counts as they are, or were a little while ago.
   *
   * @throws SQLException if they could not be counted
   */
  public Counted counted() throws SQLException {
    return last.get();
  }

  /**
   * Where they wait and how fast they go, likewise.
   *
   * @throws SQLException if that could not be read
   */
  public Details details() throws SQLException {
    return lastDetails.get();
  }

  /** What sagas that do not move on fail of, likewise. */
  FailureGroups failures() throws SQLException {
    return lastFailures.get();
  }

  private Counted count(Connection tx) throws SQLException {
    return new Counted(clock.instant(), SagaCounts.open(tx, timers));
  }

  private Details readDetails(Connection tx) throws SQLException {
    return new Details(SagaCounts.waits(tx, timersOfDetails), SagaFlow.read(tx, clock.instant()));
  }

  /** The same for operators, with what the metrics know of the messages. */
  Overview get() throws SQLException {
    Counted counted = counted();
    SagaCounts open = counted.open();
    Details details = details();
    SagaFlow flow = details.flow();
    return new Overview(
        counted.at(),
        open.all(),
        open.handled(SagaStatus.RUNNING),
        open.handled(SagaStatus.COMPENSATING),
        open.handled(SagaStatus.STUCK),
        open.quarantined(),
        open.held(),
        open.overdue(),
        open.since(),
        gauge("onceflow.inbox.parked.waiting", 1),
        outbox(),
        flow.startedPerSecond(),
        flow.endedPerSecond(),
        flow.p50Ms(),
        flow.p95Ms(),
        flow.p99Ms(),
        details.waits().steps(),
        details.waits().commands().stream().map(this::awaited).toList());
  }

  /** As of the last look of the metrics. */
  Overview.OutboxBacklog outbox() {
    return new Overview.OutboxBacklog(
        gauge("onceflow.outbox.waiting", 1), gauge("onceflow.outbox.oldest.age", 1000));
  }

  private Overview.Awaited awaited(SagaCounts.ForCommands waits) {
    return new Overview.Awaited(
        policy.participantOf(waits.command()), waits.command(), waits.sagas());
  }

  /** What a metric shows, which is counted anyway; null while it is not known. */
  private @Nullable Long gauge(String name, double factor) {
    @Nullable Gauge gauge = meters.find(name).gauge();
    double value = gauge == null ? Double.NaN : gauge.value();
    return Double.isNaN(value) ? null : Math.round(value * factor);
  }
}
