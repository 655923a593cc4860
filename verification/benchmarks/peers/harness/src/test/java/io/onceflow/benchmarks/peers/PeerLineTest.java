package io.onceflow.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerLineTest {

  private static final PeerRun RUN = new PeerRun(1_000, 100, 2, 4_000_000, 900, 12_000);

  @Test
  void isReadAsItWasWritten() {
    assertThat(PeerLine.parse(RUN.line().toString()).map(PeerRun::of)).contains(RUN);
    Effects effects = new Effects(5, 4, 3, 2, 1);
    assertThat(PeerLine.parse(effects.line().toString()).map(Effects::of)).contains(effects);
    assertThat(PeerLine.parse(PeerLine.READY.toString())).contains(PeerLine.READY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "12:00 INFO started peer-ready", "peer-run sagas", "peer-run sagas=many"})
  void isNotWhatLibrariesPrint(String line) {
    assertThat(PeerLine.parse(line)).isEmpty();
  }

  @Test
  void tellsWhichValueIsMissing() {
    assertThatThrownBy(() -> PeerRun.of(new PeerLine("peer-run", Map.of("sagas", 1L))))
        .hasMessageContaining("compensated");
  }

  @Test
  void countsSagasOverTheTimeUntilTheLastEnded() {
    assertThat(RUN.sagasPerSecond()).isEqualTo(250);
  }

  @Test
  void reportsAnEffectThatCameTwice() {
    PeerRun run = new PeerRun(10, 1, 0, 1, 1, 1);
    assertThat(new Effects(10, 1, 9, 9, 1).faults(run)).isEmpty();
    assertThat(new Effects(11, 1, 9, 9, 1).faults(run)).singleElement().asString().contains("11");
    assertThat(new Effects(21, 3, 18, 19, 2).minus(new Effects(11, 2, 9, 10, 1)))
        .isEqualTo(new Effects(10, 1, 9, 9, 1));
  }

  @Test
  void takesPercentilesByRank() {
    long[] sorted = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    assertThat(ClientLoop.percentile(sorted, 50)).isEqualTo(5);
    assertThat(ClientLoop.percentile(sorted, 99)).isEqualTo(10);
    assertThat(ClientLoop.percentile(new long[0], 50)).isZero();
  }

  @Test
  void writesAnOrderAsJson() {
    assertThat(PeerOrder.of("k-1", true).json())
        .startsWith("{\"id\":\"k-1\",\"currency\":\"EUR\"")
        .contains("\"amount\":2500")
        .endsWith("\"country\":\"AQ\"}");
  }
}
