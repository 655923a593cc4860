package com.example.points;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The guide's code is that of the application that these tests run. */
class ChannelsGuideTest {

  private static final Pattern CODE = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

  @Test
  void showsCodeThatRuns() throws IOException {
    String guide = Files.readString(Path.of("../../../docs/guide/channels.md"));
    String source =
        Files.readString(Path.of("src/test/java/com/example/points/Points.java"))
            + Files.readString(Path.of("src/test/java/com/example/awards/Awards.java"));
    List<String> shown = CODE.matcher(guide).results().map(code -> code.group(1)).toList();
    assertThat(shown).hasSize(3).allSatisfy(code -> assertThat(source).contains(code));
  }
}
