package io.onceflow.adoption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that sets the version, run on a copy of this checkout. */
class SetVersionTest {

  /** Put together, since it may stand in no file, this one included. */
  private static final String RELEASE = String.join(".", "97", "98", "99");

  private static final String NEXT = String.join(".", "97", "99", "0-SNAPSHOT");

  /** They tell of the past. */
  private static final List<String> HISTORY = List.of("CHANGELOG.md", "docs/adr/");

  @TempDir private Path copy;

  @Test
  void nothingOfTheOldVersionRemains() throws Exception {
    Checkout.copy(copy);
    String version = version();
    Checkout.setVersion(copy, RELEASE);
    assertThat(version()).isEqualTo(RELEASE);
    // Another project may have a version that is no snapshot, and docs speak of it.
    if (version.endsWith("-SNAPSHOT")) {
      assertThat(filesWith(version)).isEmpty();
    }

    List<String> released = filesWith(RELEASE);
    Checkout.setVersion(copy, NEXT);
    assertThat(filesWith(RELEASE)).isEmpty();
    assertThat(filesWith(NEXT)).isEqualTo(released);
    assertThat(released)
        .contains(
            "quarkus-onceflow/bom/pom.xml",
            "docker-compose.yml",
            ".env.example",
            "Dockerfile",
            "deploy/kubernetes/base/kustomization.yaml");
  }

  @Test
  void aReleaseIsOfItsDay() throws Exception {
    copyOnly(".github/set-version", "pom.xml");
    Files.writeString(copy.resolve("CHANGELOG.md"), "## Unreleased\n\n- New.\n\n## 1.2.3\n");
    LocalDate before = LocalDate.now(ZoneOffset.UTC);
    Checkout.setVersion(copy, RELEASE);

    assertThat(before.datesUntil(LocalDate.now(ZoneOffset.UTC).plusDays(1)))
        .anySatisfy(
            day -> {
              assertThat(copy.resolve("pom.xml"))
                  .content()
                  .contains("<project.build.outputTimestamp>%sT00:00:00Z<".formatted(day));
              assertThat(copy.resolve("CHANGELOG.md"))
                  .hasContent("## %s (%s)\n\n- New.\n\n## 1.2.3\n".formatted(RELEASE, day));
            });
  }

  @Test
  void theNextVersionHasChangesOfItsOwn() throws Exception {
    copyOnly(".github/set-version", "pom.xml");
    Files.writeString(copy.resolve("CHANGELOG.md"), "## 1.2.3\n");
    Checkout.setVersion(copy, NEXT);
    assertThat(copy.resolve("CHANGELOG.md")).hasContent("## Unreleased\n\n## 1.2.3\n");
  }

  @Test
  void whatIsNoVersionIsRefused() throws Exception {
    copyOnly(".github/set-version");
    for (String wrong : Set.of("", "1", "v1.2.3", "1.2.3 ", "1.2.3-")) {
      assertThatThrownBy(() -> Checkout.setVersion(copy, wrong))
          .as("'%s'", wrong)
          .hasMessageContaining("usage: .github/set-version VERSION");
    }
  }

  private void copyOnly(String... files) throws IOException {
    for (String file : files) {
      Path to = copy.resolve(file);
      Files.createDirectories(to.getParent());
      Files.copy(Path.of("../..").resolve(file), to);
    }
  }

  private String version() throws IOException {
    return Files.readAllLines(copy.resolve("pom.xml")).stream()
        .filter(line -> line.startsWith("  <version>"))
        .findFirst()
        .orElseThrow()
        .replaceAll(" *</?version> *", "");
  }

  private List<String> filesWith(String text) throws IOException {
    try (Stream<Path> files = Files.walk(copy)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> text(file).contains(text))
          .map(file -> copy.relativize(file).toString())
          .filter(file -> HISTORY.stream().noneMatch(file::startsWith))
          .sorted()
          .toList();
    }
  }

  /** Of any file: what is no text has none of it that matters here. */
  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
