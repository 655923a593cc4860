package io.onceflow.internal.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The database's clock beside the time that passes here. */
class ClockStepTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final DatabaseClock clock = new DatabaseClock();
  private long nanos = -5;

  @Test
  void isNoneWhileTheClockRunsAsTimeDoes() {
    assertThat(clock.observe(NOON, nanos)).isEmpty();
    assertThat(clock.observe(NOON.plusSeconds(1), after(1))).isEmpty();
    assertThat(clock.observe(NOON.plusSeconds(602), after(600))).isEmpty();
  }

  @Test
  void isNoticedForwardAndBack() {
    assertThat(clock.observe(NOON, nanos)).isEmpty();
    assertThat(clock.observe(NOON.plusSeconds(3601), after(1))).contains(Duration.ofHours(1));
    assertThat(clock.observe(NOON.plusSeconds(3602), after(1))).isEmpty();
    assertThat(clock.observe(NOON.plusSeconds(3), after(1))).contains(Duration.ofHours(-1));
  }

  private long after(long seconds) {
    return nanos += Duration.ofSeconds(seconds).toNanos();
  }
}
