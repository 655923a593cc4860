package io.onceflow.internal.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class IdlePaceTest {

  private long now = 7;
  private final IdlePace pace = new IdlePace(Duration.ofSeconds(1), () -> now);

  @Test
  void looksAtOnceAndThenAtEachTwentiethInterval() {
    assertThat(pace.isDue()).isTrue();
    assertThat(looksIn(60)).isEqualTo(3);
  }

  @Test
  void looksAtEachIntervalUntilNothingWasFoundForTwentyOfThem() {
    pace.busy();
    assertThat(looksIn(20)).isEqualTo(19);
    assertThat(looksIn(60)).isEqualTo(3);
  }

  @Test
  void looksAtEachIntervalAgainOnceItIsBusy() {
    looksIn(100);
    pace.busy();
    assertThat(looksIn(19)).isEqualTo(19);
  }

  @Test
  void oneOfThoseThatShareItLooksForAll() {
    looksIn(100);
    pass(20);
    assertThat(pace.isDue()).isTrue();
    assertThat(pace.isDue()).isFalse();
  }

  private int looksIn(int seconds) {
    int looks = 0;
    for (int i = 0; i < seconds; i++) {
      pass(1);
      looks += pace.isDue() ? 1 : 0;
    }
    return looks;
  }

  private void pass(int seconds) {
    now += Duration.ofSeconds(seconds).toNanos();
  }
}
