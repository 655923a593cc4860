package io.onceflow.idempotency.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.core.internal.Backpressure;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackpressureProbeTest {

  private final BackpressureProbe probe = new BackpressureProbe(new Some(), 0.25);

  private record Some() implements Backpressure {

    @Override
    public String name() {
      return "some";
    }

    @Override
    public long bound() {
      return 100;
    }

    @Override
    public long waiting() {
      return 0;
    }
  }

  @Test
  void isRestedAtFirst() {
    assertThat(probe.isRested(Long.MIN_VALUE)).isTrue();
  }

  @Test
  void restsTwentyTimesAsLongAsAReadingTook() {
    probe.rest(millis(0), millis(50));

    assertThat(probe.isRested(millis(1_049))).isFalse();
    assertThat(probe.isRested(millis(1_050))).isTrue();
  }

  @Test
  void restsTwoSecondsAtMost() {
    probe.rest(millis(0), millis(8_000));

    assertThat(probe.isRested(millis(9_999))).isFalse();
    assertThat(probe.isRested(millis(10_000))).isTrue();
  }

  @Test
  void isRestedWhenATwentiethOfTheBoundHasBeenAdmittedSince() {
    probe.rest(millis(0), millis(50));

    probe.admit(4);
    assertThat(probe.isRested(millis(51))).isFalse();
    probe.admit(1);
    assertThat(probe.isRested(millis(51))).isTrue();
  }

  @Test
  void isRestedAtOnceWhenItsRestIsEnded() {
    probe.rest(millis(0), millis(50));

    probe.endRest();

    assertThat(probe.isRested(millis(51))).isTrue();
  }

  private static long millis(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }
}
