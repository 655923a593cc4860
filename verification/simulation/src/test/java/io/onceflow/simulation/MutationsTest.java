package io.onceflow.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Takes each rule out. When code has changed, other seeds may be the first: {@code ./onceflow chaos
 * --simulate --mutations} prints the table anew.
 */
@DisplayName("A rule that is taken out")
class MutationsTest {

  private static final long SEEDS = 10_000;

  @ParameterizedTest(name = "{0}")
  @EnumSource(Rule.class)
  void isMissed(Rule rule) {
    Optional<SimulationRun> first = Seeds.firstToCatch(rule, 0, SEEDS);
    assertThat(first)
        .as("a seed of the first %d that misses rule %d", SEEDS, rule.number())
        .isPresent();
    assertThat(SimulationRun.of(first.orElseThrow().seed()).violation())
        .as("what this seed breaks by all rules")
        .isNull();
  }

  @Test
  void standsInTheTableOnce() {
    List<String> numbers = new ArrayList<>();
    table().forEach(line -> numbers.add(line.substring(0, 2).strip()));
    assertThat(numbers)
        .containsExactlyElementsOf(
            Arrays.stream(Rule.values()).map(rule -> Integer.toString(rule.number())).toList());
  }

  private static List<String> table() {
    try (InputStream table = MutationsTest.class.getResourceAsStream("/mutations.txt")) {
      return new String(Objects.requireNonNull(table).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .toList();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
