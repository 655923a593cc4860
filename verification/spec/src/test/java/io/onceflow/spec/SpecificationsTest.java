package io.onceflow.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.spec.Specification.Size;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs TLC with small constants. {@code -Donceflow.regenerate=true} writes what it finds into
 * {@code docs/proof}.
 */
class SpecificationsTest {

  private static final Path PAGES = Path.of("../../docs/proof");
  private static final boolean IS_REGENERATED = Boolean.getBoolean("onceflow.regenerate");

  /** One thread, so that a counterexample is always the same one. */
  private final Tlc tlc = new Tlc(1, "1g");

  @ParameterizedTest
  @EnumSource
  void holds(Specification specification) throws IOException, InterruptedException {
    assertHolds(specification, Size.SAFETY);
  }

  /** At night: temporal properties take most of the time, and change with a specification alone. */
  @ParameterizedTest
  @EnumSource
  @Tag("nightly")
  void comesToItsEnd(Specification specification) throws IOException, InterruptedException {
    assertHolds(specification, Size.LIVENESS);
  }

  private static void assertHolds(Specification specification, Size size)
      throws IOException, InterruptedException {
    ModelCheck check = ModelCheck.of(specification, size);
    TlcResult result = new Tlc(2, "1g").run(check);
    assertThat(result.violated()).as(result.output()).isNull();
    Path page = PAGES.resolve("README.md");
    if (IS_REGENERATED) {
      Files.write(
          page,
          Files.readAllLines(page).stream()
              .map(
                  line ->
                      line.startsWith(ProofPage.rowHead(check))
                          ? ProofPage.row(check, result)
                          : line)
              .toList());
    }
    assertThat(Files.readString(page)).contains(ProofPage.row(check, result));
  }

  /** At night: what it finds changes with a specification, and with nothing else. */
  @ParameterizedTest
  @EnumSource
  @Tag("nightly")
  void missesEachRuleThatIsRemoved(Specification specification)
      throws IOException, InterruptedException {
    Map<RemovedRule, TlcResult> results = new TreeMap<>();
    for (RemovedRule rule : ProofPage.rulesOf(specification)) {
      TlcResult result = tlc.run(ModelCheck.without(rule));
      assertThat(result.violated()).as("%s: %s", rule, rule.loss()).isNotNull();
      results.put(rule, result);
    }
    String generated = ProofPage.of(specification, results);
    Path page = PAGES.resolve(specification.page() + ".md");
    if (IS_REGENERATED) {
      Files.writeString(page, generated);
    }
    assertThat(Files.readString(page))
        .as("%s; write it again by -Donceflow.regenerate=true", page)
        .isEqualTo(generated);
  }

  /** A switch that no test removes is one that its specification may not need. */
  @Test
  void removesEachRuleThatASpecificationNames() {
    for (Specification specification : Specification.values()) {
      List<String> removed =
          List.of(RemovedRule.values()).stream()
              .filter(rule -> rule.specification().module().equals(specification.module()))
              .map(RemovedRule::id)
              .sorted()
              .toList();
      assertThat(
              Pattern.compile("Keeps\\(\"([^\"]+)\"\\)")
                  .matcher(specification.source())
                  .results()
                  .map(match -> match.group(1))
                  .collect(Collectors.toSet()))
          .as(specification.module())
          .containsExactlyInAnyOrderElementsOf(removed);
    }
  }

  /** Seen red: the last line of progress has a comma in its figures. */
  @Test
  void readsHowManyStatesThereAre() {
    String output =
        """
        Progress(28) at 2026-11-29 00:18:48: 68,545 states generated, 21,186 distinct states found, 0 states left on queue.
        Model checking completed. No error has been found.
        68545 states generated, 21186 distinct states found, 0 states left on queue.
        """;
    assertThat(Tlc.result(output, Duration.ZERO).distinctStates()).isEqualTo(21186);
  }

  @Test
  void doesNotTakeAFailureOfTlcForSuccess() {
    assertThatThrownBy(
            () -> Tlc.result("Error: Parsing or semantic analysis failed.", Duration.ZERO))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Parsing or semantic analysis failed");
  }
}
