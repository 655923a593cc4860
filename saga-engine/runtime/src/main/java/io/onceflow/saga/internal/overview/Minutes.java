package io.onceflow.saga.internal.overview;

import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.runtime.SagaConfig;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.minute.MinuteSeries;
import io.onceflow.saga.internal.store.minute.StepSeries;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.BadRequestException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** What sagas did over the last hours, as operators see it. */
@ApplicationScoped
class Minutes {

  /** Lengths of a span that divide a day, so that spans start at midnight in UTC, too. */
  private static final int[] SPANS = {1, 2, 5, 15, 30, 60, 120, 240, 480, 1440};

  /** As many as a chart shows side by side. */
  private static final int MOST_SPANS = 100;

  private static final int MINUTES_OF_HOUR = 60;

  /** There are several steps to a saga: a week of them takes the database seconds. */
  private static final int MOST_HOURS_OF_STEPS = 24;

  /** The console asks for three; callers that ask for many others read more often. */
  private static final int MOST_READINGS = 8;

  private final List<? extends SagaDefinition<?>> definitions;
  private final UnitOfWork unitOfWork;
  private final Clock clock;
  private final long mostHours;

  /** By hours. */
  private final Map<Integer, SharedReading<MinutesView>> readings = new ConcurrentHashMap<>();

  Minutes(SagaRunners sagas, UnitOfWork unitOfWork, Clock clock, SagaConfig config) {
    this.definitions = sagas.definitions();
    this.unitOfWork = sagas.transactions(unitOfWork);
    this.clock = clock;
    this.mostHours = Math.max(1, config.minutesRetention().toHours());
  }

  /**
   * As they are, or were a little while ago: a week of many definitions takes the database half a
   * second, and more callers cost no more.
   *
   * @throws BadRequestException if that is more than is kept
   */
  MinutesView of(int hours) throws SQLException {
    if (hours < 1 || hours > mostHours) {
      throw new BadRequestException(
          "hours is %s: from 1 to %s, as onceflow.saga.minutes-retention keeps them"
              .formatted(hours, mostHours));
    }
    if (readings.size() >= MOST_READINGS && !readings.containsKey(hours)) {
      readings.clear();
    }
    return readings
        .computeIfAbsent(
            hours,
            it -> new SharedReading<>(unitOfWork::call, tx -> read(tx, it), System::nanoTime))
        .get();
  }

  private MinutesView read(Connection tx, int hours) throws SQLException {
    Instant now = clock.instant();
    int span = span(hours);
    Instant from = begin(now.minus(Duration.ofHours(hours)), span);
    Instant stepsFrom =
        begin(now.minus(Duration.ofHours(Math.min(hours, MOST_HOURS_OF_STEPS))), span);
    StepSeries.Steps steps = StepSeries.steps(tx, stepsFrom, span);
    return new MinutesView(
        from,
        now,
        span,
        MinuteSeries.points(tx, from, span),
        StepSeries.failures(tx, from, span),
        stepsFrom,
        inOrder(steps.funnels()),
        steps.durations(),
        MinuteSeries.backlog(tx, from, span));
  }

  private List<StepSeries.Funnel> inOrder(List<StepSeries.Funnel> steps) {
    return steps.stream()
        .sorted(
            Comparator.comparing(StepSeries.Funnel::definition)
                .thenComparing(this::place)
                .thenComparing(StepSeries.Funnel::step))
        .toList();
  }

  /** In the newest version that this process knows; steps of others come last. */
  private int place(StepSeries.Funnel of) {
    List<String> names =
        definitions.stream()
            .filter(it -> it.name().equals(of.definition()))
            .max(Comparator.comparingInt(SagaDefinition::version))
            .map(it -> it.steps().stream().map(step -> step.name()).toList())
            .orElse(List.of());
    int place = names.indexOf(of.step());
    return place < 0 ? names.size() : place;
  }

  static int span(int hours) {
    return IntStream.of(SPANS)
        .filter(it -> hours * MINUTES_OF_HOUR <= it * MOST_SPANS)
        .findFirst()
        .orElse(SPANS[SPANS.length - 1]);
  }

  private static Instant begin(Instant time, int minutes) {
    long seconds = Duration.ofMinutes(minutes).toSeconds();
    return Instant.ofEpochSecond(time.getEpochSecond() / seconds * seconds);
  }
}
