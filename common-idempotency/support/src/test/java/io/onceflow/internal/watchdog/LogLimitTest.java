package io.onceflow.internal.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** One line a minute, however many requests fail for the same reason. */
class LogLimitTest {

  private long now = Long.MAX_VALUE - 10;
  private final LogLimit limit = new LogLimit(() -> now);

  @Test
  void letsOneLineAMinutePassAndCountsTheOthers() {
    assertThat(limit.pass()).hasValue(0);
    for (int i = 0; i < 1_000; i++) {
      assertThat(limit.pass()).isEmpty();
    }
    now += Duration.ofMinutes(1).toNanos();
    assertThat(limit.pass()).hasValue(1_000);
    assertThat(limit.pass()).isEmpty();
  }
}
