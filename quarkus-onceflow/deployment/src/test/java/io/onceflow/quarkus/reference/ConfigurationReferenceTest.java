package io.onceflow.quarkus.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/reference/configuration.md} is generated; {@code -Donceflow.regenerate=true} does it.
 */
class ConfigurationReferenceTest {

  private static final Path CHECKOUT = Path.of("../..");
  private static final Path PAGE = CHECKOUT.resolve("docs/reference/configuration.md");

  private static final String COMMAND =
      "./mvnw test -pl quarkus-onceflow/deployment -Dtest=ConfigurationReferenceTest"
          + " -Donceflow.regenerate=true";

  @Test
  void isWhatTheSourcesSay() throws IOException {
    String generated = ReferencePage.of(ConfigMappings.in(CHECKOUT));
    if (Boolean.getBoolean("onceflow.regenerate")) {
      Files.writeString(PAGE, generated);
    }
    assertThat(Files.readString(PAGE))
        .as("%s; if a mapping was changed, write it anew: %s", PAGE, COMMAND)
        .isEqualTo(generated);
  }

  @Test
  void describesEveryKey() throws IOException {
    assertThat(ConfigMappings.in(CHECKOUT))
        .flatExtracting(MappingDoc::keys)
        .hasSizeGreaterThan(50)
        .allSatisfy(key -> assertThat(key.javadoc()).as(key.name()).isNotBlank());
  }

  @Test
  void readsAMappingAsSmallRyeConfigDoes(@TempDir Path root) throws IOException {
    Path folder = Files.createDirectories(root.resolve("module/src/main/java/sample"));
    Files.writeString(folder.resolve("SampleConfig.java"), SAMPLE);

    List<MappingDoc> mappings = ConfigMappings.in(root);

    assertThat(ReferencePage.of(mappings)).endsWith(SAMPLE_SECTION);
  }

  private static final String SAMPLE =
      """
      package sample;

      import io.quarkus.runtime.annotations.ConfigPhase;
      import io.quarkus.runtime.annotations.ConfigRoot;
      import io.smallrye.config.*;
      import java.time.Duration;
      import java.util.*;

      /** What it is about. */
      @ConfigRoot(phase = ConfigPhase.BUILD_TIME)
      @ConfigMapping(prefix = "onceflow.sample")
      public interface SampleConfig {

        /** How it is done. */
        enum Way {
          /** Little by little. */
          STEP_BY_STEP
        }

        /** How it is done, within {@link Waiting#atMost()}. */
        @WithDefault("step-by-step")
        Way way();

        /** Which {@code words/{id}} go where. */
        Map<String, List<String>> sends();

        /** Without it nothing works. */
        String key();

        /** Not described: its keys are. */
        @WithName("wait")
        Waiting waiting();

        interface Waiting {

          /**
           * The longest wait.
           *
           * <p>No longer than it need be.
           */
          Optional<Duration> atMost();

          default boolean isBounded() {
            return atMost().isPresent();
          }
        }
      }
      """;

  private static final String SAMPLE_SECTION =
      """
      - [`onceflow.sample`](#onceflowsample)

      ## `onceflow.sample`

      What it is about.

      Fixed when the application is built.

      ### `onceflow.sample.way`

      one of the values below · default `step-by-step` · `ONCEFLOW_SAMPLE_WAY`

      How it is done, within [`onceflow.sample.wait.at-most`](#onceflowsamplewaitat-most).

      - `step-by-step`: Little by little.

      ### `onceflow.sample.sends."name"`

      list of text · no default · `ONCEFLOW_SAMPLE_SENDS__NAME_`

      Which `words/{id}` go where.

      ### `onceflow.sample.key`

      text · required · `ONCEFLOW_SAMPLE_KEY`

      Without it nothing works.

      ### `onceflow.sample.wait.at-most`

      duration · no default · `ONCEFLOW_SAMPLE_WAIT_AT_MOST`

      The longest wait.

      No longer than it need be.
      """;
}
