package io.onceflow.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OverlaysTest {

  /** In the order in which their complaints make sense. */
  static final Map<String, Check> CHECKS =
      new TreeMap<>(
          Map.of(
              "schemas", new Schemas(),
              "references", new References(),
              "selectors", new Selectors(),
              "ports", new Ports(),
              "policies", new Policies(),
              "addresses", new Addresses(),
              "environments", new Environments(),
              "scaling", new Scaling(),
              "pod security", new PodSecurity(),
              "provided", new Provided()));

  static Stream<Arguments> everyCheckOfEveryOverlay() {
    return Stream.of(Overlay.values())
        .flatMap(overlay -> CHECKS.keySet().stream().map(check -> Arguments.of(overlay, check)));
  }

  @ParameterizedTest
  @MethodSource("everyCheckOfEveryOverlay")
  void noOverlayHasAMistake(Overlay overlay, String check) {
    assertThat(CHECKS.get(check).problems(Cluster.of(overlay))).isEmpty();
  }
}
