package io.onceflow.internal.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.api.Test;

/** A loop that stands still fails liveness, unless the database is to blame. */
class LoopHealthTest {

  private final AtomicLong now = new AtomicLong();
  private final LoopWatch watch = new LoopWatch("relay", Duration.ofSeconds(1), now::get);

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  private Status health(Duration answeringFor) {
    return LoopHealth.of(List.of(watch), answeringFor).getStatus();
  }

  @Test
  void isUpWhileTheLoopTurns() {
    for (int turn = 0; turn < 10; turn++) {
      pass(Duration.ofMinutes(4));
      assertThat(health(Duration.ofHours(1))).isEqualTo(Status.UP);
      watch.turned();
    }
  }

  @Test
  void isDownWhenTheLoopHasNotTurnedForFiveMinutes() {
    pass(Duration.ofMinutes(5).plusSeconds(1));
    assertThat(health(Duration.ofHours(1))).isEqualTo(Status.DOWN);
    watch.turned();
    assertThat(health(Duration.ofHours(1))).isEqualTo(Status.UP);
  }

  @Test
  void isUpWhileTheDatabaseIsAwayAndForAsLongAfterIt() {
    pass(Duration.ofHours(1));
    assertThat(health(Duration.ZERO)).isEqualTo(Status.UP);
    assertThat(health(Duration.ofMinutes(4))).isEqualTo(Status.UP);
    assertThat(health(Duration.ofMinutes(6))).isEqualTo(Status.DOWN);
  }

  @Test
  void allowsALoopWithLongPausesToMissFiveOfThem() {
    LoopWatch slow = new LoopWatch("garbage", Duration.ofMinutes(10), now::get);
    pass(Duration.ofMinutes(49));
    assertThat(slow.isSilent()).isFalse();
    pass(Duration.ofMinutes(2));
    assertThat(slow.isSilent()).isTrue();
  }

  @Test
  void metricsTellTheAgeOfTheLastTurnWhileTheLoopRuns() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Metrics.addRegistry(registry);
    try (LoopWatch running = watch.begin()) {
      pass(Duration.ofSeconds(7));
      assertThat(age(registry)).isEqualTo(7);
      assertThat(LoopWatch.ages()).containsEntry("relay", Duration.ofSeconds(7));
      running.turned();
      assertThat(age(registry)).isZero();
    }
    assertThat(age(registry)).isNaN();
    Metrics.removeRegistry(registry);
  }

  private static double age(SimpleMeterRegistry registry) {
    return registry.get("onceflow.loop.last.turn.age").tag("loop", "relay").gauge().value();
  }
}
