package io.onceflow.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The guide's code is that of the application that these tests run. */
class GuideTest {

  private static final Pattern CODE = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

  @Test
  void showsCodeThatRuns() throws IOException {
    String guide = Files.readString(Path.of("../../docs/guide/participant.md"));
    String sources = sources(Path.of("src/test/java/io/onceflow/quarkus/trip"));
    // What waits for the world is shown in the payment service's words.
    String ofTrips = guide.split("## A step that waits for the world")[0];
    List<String> shown = CODE.matcher(ofTrips).results().map(GuideTest::code).toList();
    assertThat(shown).hasSize(3).allSatisfy(code -> assertThat(sources).contains(code));
  }

  private static String code(MatchResult block) {
    return block.group(1).strip();
  }

  private static String sources(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(GuideTest::read).collect(Collectors.joining());
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
