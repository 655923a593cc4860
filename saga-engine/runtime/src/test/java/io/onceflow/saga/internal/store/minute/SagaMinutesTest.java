package io.onceflow.saga.internal.store.minute;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.minute.MinuteSeries.Point;
import io.onceflow.saga.internal.store.minute.SagaMinutes.Backlog;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What replicas counted of sagas is added up, over replicas and minutes. */
@Timeout(value = 60, unit = SECONDS)
class SagaMinutesTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final Instant LATER = NOON.plus(Duration.ofMinutes(1));

  @BeforeEach
  void makeTables() {
    SagaDatabase.makeAnew("classpath:db/onceflow/inbox");
  }

  @Test
  void addsUpWhatReplicasCounted() throws SQLException {
    add(tally(NOON, 100, 100, 100), tally(LATER, 10_000));
    add(tally(NOON, 60_000));

    assertThat(points(1))
        .extracting(Point::at, Point::started, Point::completed, Point::compensated, Point::meanMs)
        .containsExactly(tuple(NOON, 4L, 4L, 0L, 15_075L), tuple(LATER, 1L, 1L, 0L, 10_000L));
    Point both = points(5).getFirst();
    assertThat(both.completed()).isEqualTo(5);
    assertThat(both.p50Ms()).isCloseTo(100L, within(10L));
    assertThat(both.p95Ms()).isCloseTo(60_000L, within(6_000L));
    assertThat(both.p99Ms()).isCloseTo(60_000L, within(6_000L));
  }

  @Test
  void tellsHowSagasEnded() throws SQLException {
    MinuteTally tally = new MinuteTally(NOON, "place-order");
    SagaState before = saga(null, SagaStatus.COMPENSATING);
    tally.count(before, saga(NOON.plusMillis(7), SagaStatus.COMPENSATED), List.of());
    add(tally);
    add(tally);

    assertThat(points(1).getFirst().compensated()).isEqualTo(2);
  }

  @Test
  void keepsTheMostThatWaitedAndForgetsWhatIsOld() throws SQLException {
    add(tally(NOON, 5));
    see(new Backlog(NOON.plusSeconds(3), 7L, null, 40L));
    see(new Backlog(NOON.plusSeconds(9), 3L, 2L, null));
    assertThat(backlog()).containsExactly(new Backlog(NOON, 7L, 2L, 40L));

    forget(LATER);
    assertThat(points(1)).hasSize(1);
    forget(LATER.plus(Duration.ofDays(1)));
    assertThat(points(1)).isEmpty();
    assertThat(backlog()).isEmpty();
  }

  /** The middle of its bucket is a tenth away at most. */
  @Test
  void aDurationIsKeptToATenth() {
    LongStream.of(1, 2, 7, 99, 1_000, 12_345, 86_400_000, 7_000_000_000L)
        .forEach(
            millis ->
                assertThat((double) DurationBuckets.millis(DurationBuckets.bucket(millis)))
                    .isCloseTo(millis, within(millis / 10.0 + 0.5)));
    assertThat(DurationBuckets.bucket(-5)).isZero();
    assertThat(DurationBuckets.bucket(Long.MAX_VALUE)).isEqualTo(132);
  }

  private static MinuteTally tally(Instant minute, long... durations) {
    MinuteTally tally = new MinuteTally(minute, "place-order");
    for (long millis : durations) {
      SagaState ended = saga(NOON.plusMillis(millis), SagaStatus.COMPLETED);
      tally.count(saga(null, SagaStatus.RUNNING), ended, List.of(line(HistoryEvent.SAGA_STARTED)));
      tally.count(ended, ended, List.of());
    }
    return tally;
  }

  private static HistoryEntry line(HistoryEvent event) {
    return new HistoryEntry(NOON, event, "process-payment", null);
  }

  private static SagaState saga(@Nullable Instant endedAt, SagaStatus status) {
    return new SagaState(
        UUID.randomUUID(), "place-order", 1, status, null, List.of(), NOON, null, endedAt, 1);
  }

  private static void add(MinuteTally... tallies) throws SQLException {
    SagaDatabase.inTransaction(
        tx -> {
          SagaMinutes.add(tx, List.of(tallies));
          return true;
        });
  }

  private static void see(Backlog backlog) throws SQLException {
    SagaDatabase.inTransaction(
        tx -> {
          SagaMinutes.seen(tx, backlog);
          return true;
        });
  }

  private static void forget(Instant now) throws SQLException {
    SagaDatabase.inTransaction(
        tx -> {
          SagaMinutes.forget(tx, now, Duration.ofDays(1));
          return true;
        });
  }

  private static List<Point> points(int span) throws SQLException {
    return SagaDatabase.inTransaction(tx -> MinuteSeries.points(tx, NOON, span));
  }

  private static List<Backlog> backlog() throws SQLException {
    return SagaDatabase.inTransaction(tx -> MinuteSeries.backlog(tx, NOON, 1));
  }
}
