package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links from one page to another file of this checkout lead somewhere. */
class DocumentLinksTest {

  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s#:]+)(#[^)\\s]*)?\\)");

  @Test
  void everyLinkLeadsToAFile() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      List<Path> pages = files.filter(DocumentLinksTest::isPage).toList();

      assertThat(pages).hasSizeGreaterThan(100);
      assertThat(pages.stream().flatMap(page -> brokenLinks(page, read(page)))).isEmpty();
    }
  }

  @Test
  void findsABrokenLink() {
    Path page = ROOT.resolve("docs/README.md");

    assertThat(brokenLinks(page, "[a](none.md#there) [b](../README.md) [c](https://example.com/x)"))
        .containsExactly("docs/README.md: none.md");
  }

  private static boolean isPage(Path file) {
    String path = ROOT.relativize(file).toString();
    return path.endsWith(".md")
        && Stream.of("target/", "node_modules/", ".onceflow/", ".git/").noneMatch(path::contains);
  }

  private static Stream<String> brokenLinks(Path page, String text) {
    return LINK.matcher(text)
        .results()
        .map(link -> link.group(1))
        .filter(link -> !Files.exists(page.resolveSibling(link)))
        .map(link -> ROOT.relativize(page) + ": " + link);
  }

  private static String read(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
