package io.onceflow.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The simulation")
class SimulationTest {

  private static final long SEEDS = Long.getLong("simulation.seeds", 40_000);

  @Test
  void keepsEveryInvariantByEverySeed() {
    List<SimulationRun> failing = Seeds.failing(0, SEEDS, done -> {});
    assertThat(failing)
        .as("seeds that break an invariant; ./onceflow chaos --simulate --trace --seed N shows one")
        .isEmpty();
  }

  @Test
  void tellsTheSameStoryOfTheSameSeed() {
    for (long seed = 0; seed < 200; seed++) {
      assertThat(SimulationRun.of(seed, null, true).trace())
          .isEqualTo(SimulationRun.of(seed, null, true).trace());
    }
  }

  @Test
  void writesTheSameTraceWithAndWithoutAListener() {
    for (long seed = 0; seed < 200; seed++) {
      assertThat(SimulationRun.of(seed).events())
          .isEqualTo(SimulationRun.of(seed, null, true).events());
    }
  }

  @Test
  void goesWhereItIsToGo() {
    List<String> told =
        LongStream.range(0, 4_000)
            .parallel()
            .mapToObj(seed -> SimulationRun.of(seed).reached())
            .flatMap(reached -> reached.stream())
            .distinct()
            .toList();
    assertThat(told).containsAll(Coverage.everything());
  }
}
