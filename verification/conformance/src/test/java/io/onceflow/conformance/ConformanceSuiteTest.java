package io.onceflow.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.conformance.ScenarioResult.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The suite passes what is right and fails what is wrong. */
class ConformanceSuiteTest {

  /** What no adapter does yet. */
  private static final String TWO_LANGUAGES = "two-languages";

  @Test
  void passesAProductThatIsRight() throws Exception {
    List<ScenarioResult> results = run(null, Duration.ofSeconds(30));

    assertThat(results)
        .filteredOn(it -> !it.scenario().id().equals(TWO_LANGUAGES))
        .allSatisfy(it -> assertThat(it.verdict()).as(it.toString()).isEqualTo(Verdict.PASS));
  }

  /** A flaw that the product waits for costs the suite's timeout, so that is short here. */
  @ParameterizedTest
  @EnumSource
  void failsAProductThatIsWrong(Flaw flaw) throws Exception {
    assertThat(failed(run(flaw, Duration.ofMillis(600)))).containsAll(flaw.failed());
  }

  @Test
  void eachScenarioIsFailedBySomeFlaw() {
    Set<String> failed =
        Stream.of(Flaw.values()).flatMap(it -> it.failed().stream()).collect(Collectors.toSet());
    Set<String> all =
        Scenarios.all().stream()
            .map(SagaScenario::id)
            .collect(Collectors.toCollection(TreeSet::new));
    all.remove(TWO_LANGUAGES);

    assertThat(failed).containsExactlyInAnyOrderElementsOf(all);
  }

  private static Set<String> failed(List<ScenarioResult> results) {
    return results.stream()
        .filter(it -> it.verdict() == Verdict.FAIL)
        .map(it -> it.scenario().id())
        .collect(Collectors.toSet());
  }

  private static List<ScenarioResult> run(@Nullable Flaw flaw, Duration timeout) throws Exception {
    try (EffectLedger ledger = new EffectLedger();
        InMemoryAdapter adapter = new InMemoryAdapter(ledger, flaw)) {
      return new ConformanceSuite(adapter, ledger, timeout).run();
    }
  }
}
