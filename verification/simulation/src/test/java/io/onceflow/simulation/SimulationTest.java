package io.onceflow.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The simulation")
class SimulationTest {

  /** As many as it takes to go everywhere, at least. */
  private static final long SEEDS = Math.max(4_000, Long.getLong("simulation.seeds", 40_000));

  private static final Set<SimulationRun> FAILING = ConcurrentHashMap.newKeySet();
  private static final Set<String> REACHED = ConcurrentHashMap.newKeySet();

  @BeforeAll
  static void runEverySeed() {
    LongStream.range(-SEEDS / 4, SEEDS)
        .parallel()
        .mapToObj(SimulationRun::of)
        .forEach(
            run -> {
              REACHED.addAll(run.reached());
              if (run.violation() != null) {
                FAILING.add(run);
              }
            });
  }

  @Test
  void keepsEveryInvariantByEverySeed() {
    assertThat(FAILING)
        .as("seeds that break an invariant; ./onceflow chaos --simulate --trace --seed N shows one")
        .isEmpty();
  }

  @Test
  void goesWhereItIsToGo() {
    assertThat(REACHED).containsAll(Coverage.everything());
  }

  @Test
  void tellsTheSameStoryOfTheSameSeedWithAndWithoutAListener() {
    for (long seed = -50; seed < 200; seed++) {
      SimulationRun told = SimulationRun.of(seed, null, true);
      assertThat(SimulationRun.of(seed, null, true).trace()).isEqualTo(told.trace());
      assertThat(SimulationRun.of(seed).events()).isEqualTo(told.events());
    }
  }
}
