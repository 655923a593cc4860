package io.onceflow.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.spec.Specification.Size;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares the paths that the inbox's {@code ParticipantPathsTest} runs against the code with those
 * of the specification. {@code -Donceflow.regenerate=true} writes them.
 */
class ParticipantPathsTest {

  private static final Path PATHS =
      Path.of(
          "../../common-idempotency/inbox/src/test/resources/io/onceflow/inbox/oracle/participant-paths.txt");

  @Test
  @Tag("nightly")
  void areThoseOfTheSpecification() throws IOException, InterruptedException {
    List<String> paths =
        ParticipantPaths.of(
            new Tlc(1, "1g")
                .graph(ModelCheck.of(Specification.PARTICIPANT, Size.PATHS), StateGraph::read));
    if (Boolean.getBoolean("onceflow.regenerate")) {
      Files.write(PATHS, paths);
    }
    assertThat(Files.readAllLines(PATHS))
        .as("%s; write it again by -Donceflow.regenerate=true", PATHS)
        .isEqualTo(paths);
  }

  /** All but those of the broker's losses, of the saga's ears, of faults and of removed rules. */
  @Test
  void coverEachActionOfTheParticipant() throws IOException {
    assertThat(
            Files.readAllLines(PATHS).stream()
                .filter(line -> !line.matches("\\d.*"))
                .flatMap(path -> Stream.of(path.split(", ")))
                .map(step -> step.split(" ")[0])
                .collect(Collectors.toSet()))
        .containsExactlyInAnyOrder(
            "Acknowledge",
            "Call",
            "Cancel",
            "CarryOut",
            "Conclude",
            "Crash",
            "Expire",
            "GiveUp",
            "Handle",
            "LeaseEnds",
            "Recover",
            "Send",
            "Take");
  }
}
