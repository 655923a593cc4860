package io.onceflow.benchmarks.saga;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SettlingTest {

  private final Settling settling = new Settling();

  @Test
  void hasNotSettledWhileTheRateRises() {
    assertThat(settling.hasSettledAt(100, 0)).isFalse();
    assertThat(settling.hasSettledAt(200, 0)).isFalse();
    assertThat(settling.hasSettledAt(390, 0)).isFalse();
  }

  @Test
  void hasSettledOnceItRisesNoMoreThanByNoise() {
    settling.hasSettledAt(400, 0);
    assertThat(settling.hasSettledAt(410, 0)).isTrue();
  }

  @Test
  void hasNotSettledWhileCompilersAreAtWork() {
    settling.hasSettledAt(400, 0.5);
    assertThat(settling.hasSettledAt(400, 0.3)).isFalse();
    assertThat(settling.hasSettledAt(400, 0.05)).isTrue();
  }

  @Test
  void goesByTheRateAloneWhereCompilersCannotBeSeen() {
    settling.hasSettledAt(400, Double.NaN);
    assertThat(settling.hasSettledAt(410, Double.NaN)).isTrue();
  }
}
