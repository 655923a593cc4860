package io.onceflow.idempotency.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.core.internal.Backpressure;
import java.time.Duration;
import java.util.Map;
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
    assertThat(probe.isDue(Long.MIN_VALUE)).isTrue();
  }

  @Test
  void restsTwentyTimesAsLongAsAReadingTook() {
    probe.rest(millis(0), millis(50));

    assertThat(probe.isDue(millis(1_049))).isFalse();
    assertThat(probe.isDue(millis(1_050))).isTrue();
  }

  @Test
  void restsTwoSecondsAtMost() {
    probe.rest(millis(0), millis(8_000));

    assertThat(probe.isDue(millis(9_999))).isFalse();
    assertThat(probe.isDue(millis(10_000))).isTrue();
  }

  @Test
  void isRestedWhenATwentiethOfTheBoundHasBeenAdmittedSince() {
    probe.rest(millis(0), millis(50));

    probe.admit(4);
    assertThat(probe.isDue(millis(51))).isFalse();
    probe.admit(1);
    assertThat(probe.isDue(millis(51))).isTrue();
  }

  @Test
  void isRestedAtOnceWhenItsRestIsEnded() {
    probe.rest(millis(0), millis(50));

    probe.endRest();

    assertThat(probe.isDue(millis(51))).isTrue();
  }

  @Test
  void isReadSeldomWhileNothingIsAdmittedAndLittleWaits() {
    read(4, Map.of());

    assertThat(probe.isDue(millis(9_999))).isFalse();
    assertThat(probe.isDue(millis(10_000))).isTrue();
  }

  @Test
  void isReadAgainWhenARequestWasAdmittedMeanwhile() {
    read(0, Map.of());

    probe.admit(1);

    assertThat(probe.isDue(millis(250))).isTrue();
  }

  /** Clients that were refused come again later; what waits may have been done by then. */
  @Test
  void isReadAgainWhileMuchWaits() {
    read(5, Map.of());
    assertThat(probe.isDue(millis(250))).isTrue();

    read(1, Map.of("ada", 1L));
    assertThat(probe.isDue(millis(250))).isTrue();
  }

  @Test
  void isReadAgainWhenAReadingHasFailed() {
    read(0, Map.of());

    probe.failed();

    assertThat(probe.isDue(millis(250))).isTrue();
  }

  private void read(long all, Map<String, Long> byCaller) {
    probe.beginLook();
    probe.endLook(new Backpressure.Waiting(all, byCaller));
    probe.rest(millis(0), millis(0));
  }

  private static long millis(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }
}
