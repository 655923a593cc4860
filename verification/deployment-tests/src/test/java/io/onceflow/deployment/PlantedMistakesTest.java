package io.onceflow.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each check goes red when what it is there for goes wrong, and says where. */
class PlantedMistakesTest {

  static Stream<Mistake> planted() {
    return Mistake.all();
  }

  @ParameterizedTest(name = "{0} is noticed")
  @MethodSource("planted")
  void aPlantedMistakeIsNoticed(Mistake mistake) {
    Cluster cluster = Cluster.of(mistake.overlay());
    Check check = Objects.requireNonNull(OverlaysTest.CHECKS.get(mistake.check()));
    List<String> before = check.problems(cluster);

    mistake.plantIn(cluster);

    assertThat(before).isEmpty();
    assertThat(check.problems(cluster))
        .anySatisfy(problem -> assertThat(problem).contains(mistake.said()));
  }

  @Test
  void everyCheckHasAMistakeToNotice() {
    assertThat(planted().map(Mistake::check)).containsAll(OverlaysTest.CHECKS.keySet());
  }
}
