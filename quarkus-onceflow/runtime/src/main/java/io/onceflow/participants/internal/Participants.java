package io.onceflow.participants.internal;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.internal.consumer.QueueDepths.Depth;
import io.onceflow.inbox.internal.pause.ParticipantPause;
import io.onceflow.inbox.internal.pause.ParticipantPauses;
import io.onceflow.inbox.internal.pause.PauseWatch;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.participants.internal.ParticipantView.BreakerView;
import io.onceflow.participants.internal.ParticipantView.QueueView;
import io.onceflow.saga.internal.overview.SharedReading;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/** Puts together how this service is, and pauses it. */
@Singleton
class Participants {

  private static final String COMMANDS = ".commands";

  private final String name;
  private final QueueStates queues;
  private final ParticipantPauses pauses;
  private final PauseWatch watch;
  private final MeterRegistry meters;
  private final SharedReading<ParticipantFigures> figures;

  Participants(
      @ConfigProperty(name = "quarkus.application.name") String name,
      QueueStates queues,
      ParticipantPauses pauses,
      PauseWatch watch,
      UnitOfWork unitOfWork,
      MeterRegistry meters) {
    this.name = name;
    this.queues = queues;
    this.pauses = pauses;
    this.watch = watch;
    this.meters = meters;
    this.figures =
        new SharedReading<>(unitOfWork::call, ParticipantFigures::read, System::nanoTime);
  }

  String name() {
    return name;
  }

  /** Whether it handles commands, and so can be paused. */
  boolean canBePaused() {
    return watch.isFollowed();
  }

  /**
   * How it is.
   *
   * @param seesReasons whether the reader may see what operators gave as reasons
   */
  ParticipantView view(boolean seesReasons) throws SQLException {
    Optional<ParticipantPause> pause = pauses.read();
    ParticipantFigures now = figures.get();
    boolean handles = canBePaused();
    return new ParticipantView(
        name,
        queues(pause.isPresent()),
        handles ? now.perSecond() : null,
        handles ? now.p50Ms() : null,
        handles ? now.p95Ms() : null,
        handles ? now.p99Ms() : null,
        now.parkedLately() + orZero(gauge("onceflow.inbox.calls.failed.last.minute", 1)),
        breakers(),
        pause.isPresent(),
        pause.map(ParticipantPause::by).orElse(null),
        pause.map(ParticipantPause::at).orElse(null),
        pause.filter(it -> seesReasons).map(ParticipantPause::reason).orElse(null),
        now.parked(),
        sum("onceflow.refunds.failed"),
        sum("onceflow.reconciliation.differences"),
        gauge("onceflow.outbox.oldest.age", 1_000));
  }

  /** This replica follows before it is answered; the others do within a second. */
  void pause(String operator, String reason) throws SQLException {
    pauses.pause(operator, reason);
    watch.lookNow();
  }

  void resume(String operator, String reason) throws SQLException {
    pauses.resume(operator, reason);
    watch.lookNow();
  }

  private List<QueueView> queues(boolean isPaused) {
    Map<String, Depth> depths = queues.depths();
    return queues.names().stream()
        .map(queue -> queue(queue, depths.get(queue), isPaused && queue.equals(name + COMMANDS)))
        .toList();
  }

  private static QueueView queue(String queue, @Nullable Depth depth, boolean isPaused) {
    return depth == null
        ? new QueueView(queue, null, null, isPaused, null)
        : new QueueView(queue, depth.messages(), depth.consumers(), isPaused, depth.warning());
  }

  private List<BreakerView> breakers() {
    return meters.find("onceflow.inbox.circuit.open").gauges().stream()
        .map(
            gauge ->
                new BreakerView(
                    String.valueOf(gauge.getId().getTag("type")),
                    gauge.value() > 0 ? "OPEN" : "CLOSED"))
        .sorted(Comparator.comparing(BreakerView::target))
        .toList();
  }

  /** What a metric shows; null while it is not known. */
  private @Nullable Long gauge(String metric, double factor) {
    @Nullable Gauge gauge = meters.find(metric).gauge();
    double value = gauge == null ? Double.NaN : gauge.value();
    return Double.isNaN(value) ? null : Math.round(value * factor);
  }

  /** Of all series of a metric; null while there is none. */
  private @Nullable Long sum(String metric) {
    Collection<Gauge> gauges = meters.find(metric).gauges();
    return gauges.isEmpty()
        ? null
        : Math.round(
            gauges.stream().mapToDouble(Gauge::value).filter(it -> !Double.isNaN(it)).sum());
  }

  private static long orZero(@Nullable Long number) {
    return number == null ? 0 : number;
  }
}
