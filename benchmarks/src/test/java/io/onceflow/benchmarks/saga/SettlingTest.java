package io.onceflow.benchmarks.saga;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SettlingTest {

  private final Settling settling = new Settling();

  @Test
  void hasNotSettledWhileTheRateRises() {
    assertThat(settling.hasSettledAt(100)).isFalse();
    assertThat(settling.hasSettledAt(200)).isFalse();
    assertThat(settling.hasSettledAt(390)).isFalse();
  }

  @Test
  void hasSettledOnceItRisesNoMoreThanByNoise() {
    settling.hasSettledAt(400);
    assertThat(settling.hasSettledAt(410)).isTrue();
  }
}
