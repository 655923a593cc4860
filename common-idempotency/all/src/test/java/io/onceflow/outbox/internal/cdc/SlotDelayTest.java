package io.onceflow.outbox.internal.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SlotDelayTest {

  private final SlotDelay delay = new SlotDelay();

  @Test
  void isNoneWhereAllIsDealtWith() {
    assertThat(seen(0, 100, 100)).isZero();
    assertThat(seen(1, 200, 200)).isZero();
    assertThat(seen(60, 200, 200)).isZero();
  }

  @Test
  void isTheAgeOfTheOldestThatIsNotDealtWith() {
    seen(0, 100, 0);
    assertThat(seen(1, 200, 0)).hasSeconds(1);
    assertThat(seen(2, 300, 99)).hasSeconds(2);
    assertThat(seen(3, 400, 100)).hasSeconds(2);
    assertThat(seen(4, 500, 399)).hasSeconds(1);
    assertThat(seen(5, 600, 600)).isZero();
  }

  /** What is written all the time does not make a reader late that is as far as it was then. */
  @Test
  void doesNotGrowWhileTheReaderKeepsUp() {
    for (int second = 0; second < 1000; second++) {
      assertThat(seen(second, 100L * second, 100L * (second - 1)))
          .isLessThanOrEqualTo(Duration.ofSeconds(1));
    }
  }

  @Test
  void remembersTheOldestHoweverLongItTakes() {
    for (int second = 0; second < 10_000; second++) {
      assertThat(seen(second, 100L * (second + 1), 50)).hasSeconds(second);
    }
    assertThat(seen(10_000, 1_000_100, 1_000_000)).isLessThan(Duration.ofSeconds(10_000));
  }

  private Duration seen(long second, long written, long settled) {
    return delay.seen(written, settled, Duration.ofSeconds(second).toNanos());
  }
}
