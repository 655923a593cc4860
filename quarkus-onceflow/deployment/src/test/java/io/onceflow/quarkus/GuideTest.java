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
    Path applications = Path.of("src/test/java/io/onceflow/quarkus");
    String sources = sources(applications.resolve("trip"), applications.resolve("waiting"));
    List<String> shown = CODE.matcher(guide).results().map(GuideTest::code).toList();
    assertThat(shown).hasSize(6).allSatisfy(code -> assertThat(sources).contains(code));
  }

  private static String code(MatchResult block) {
    return block.group(1).strip();
  }

  private static String sources(Path... folders) throws IOException {
    StringBuilder sources = new StringBuilder();
    for (Path folder : folders) {
      try (Stream<Path> files = Files.list(folder)) {
        sources.append(files.map(GuideTest::read).collect(Collectors.joining()));
      }
    }
    return sources.toString();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
