package io.onceflow.saga.internal.overview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What many ask for is read as seldom as its cost allows. */
class SharedReadingTest {

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger readings = new AtomicInteger();
  private Duration takes = Duration.ZERO;
  private boolean fails;
  private boolean isAway;

  private final SharedReading<Integer> reading =
      new SharedReading<>(
          this::inTransaction,
          tx -> {
            int reading = readings.incrementAndGet();
            pass(takes);
            if (fails) {
              throw new SQLException("reading %d was stopped".formatted(reading));
            }
            return reading;
          },
          nanos::get);

  @Test
  void isReadOnceASecondHoweverManyAsk() throws SQLException {
    for (int i = 0; i < 100; i++) {
      assertThat(reading.get()).isEqualTo(1);
    }
    pass(Duration.ofMillis(999));
    assertThat(reading.get()).isEqualTo(1);

    pass(Duration.ofMillis(1));
    assertThat(reading.get()).isEqualTo(2);
  }

  @Test
  void restsFiftyTimesAsLongAsReadingTook() throws SQLException {
    takes = Duration.ofMillis(200);
    assertThat(reading.get()).isEqualTo(1);

    pass(Duration.ofMillis(9_999));
    assertThat(reading.get()).isEqualTo(1);
    pass(Duration.ofMillis(1));
    assertThat(reading.get()).isEqualTo(2);
  }

  @Test
  void isNotReadWhileNobodyAsks() throws SQLException {
    reading.get();
    pass(Duration.ofHours(1));

    assertThat(readings).hasValue(1);
  }

  @Test
  void restsAsLongAfterAReadingThatFailed() throws SQLException {
    takes = Duration.ofSeconds(2);
    fails = true;
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(reading::get).hasMessage("reading 1 was stopped");
    }
    fails = false;
    pass(Duration.ofMillis(99_999));
    assertThatThrownBy(reading::get).isInstanceOf(SQLException.class);

    pass(Duration.ofMillis(1));
    assertThat(reading.get()).isEqualTo(2);
  }

  /** A database that was away is asked again as soon as it may be back. */
  @Test
  void toWaitForAConnectionCostsNothing() throws SQLException {
    isAway = true;
    assertThatThrownBy(reading::get).hasMessage("away");
    isAway = false;

    pass(Duration.ofSeconds(1));
    assertThat(reading.get()).isEqualTo(1);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private Integer inTransaction(UnitOfWork.Work<Integer> work) throws SQLException {
    if (isAway) {
      pass(Duration.ofSeconds(5));
      throw new SQLException("away");
    }
    return SagaDatabase.inTransaction(tx -> work.in(Shop.in(tx)));
  }
}
