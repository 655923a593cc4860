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

/**
 * SQL, headers and JSON are the same in every locale. {@code formatted} writes the digits of the
 * default one for {@code %d} and its like (fa_IR, th_TH, ar_EG); {@code %s} does not.
 */
class LocaleTest {

  private static final Path ROOT = Path.of("../..");
  private static final Path SOURCES = Path.of("src/main/java");
  private static final List<String> TOOLS = List.of("verification", "quarkus-onceflow/archetype");

  private static final Pattern NUMBER = Pattern.compile("%(\\d+\\$)?[-0-9.,+(#]*[dfegDFEG]\\b");
  private static final Pattern CASE = Pattern.compile("\\.to(Upper|Lower)Case\\(\\)");

  @Test
  void nothingIsWrittenByTheRulesOfTheDefaultLocale() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      List<Path> sources = files.filter(LocaleTest::isProduct).toList();

      assertThat(sources).hasSizeGreaterThan(500);
      assertThat(sources.stream().flatMap(LocaleTest::offences)).isEmpty();
    }
  }

  @Test
  void findsWhatTheDefaultLocaleDecides() {
    assertThat(
            Stream.of(
                "\"LIMIT %d\".formatted(most)", "\"%,.1f s\".formatted(it)", "name.toUpperCase()"))
        .allMatch(LocaleTest::isOffence);
    assertThat(
            Stream.of(
                "\"LIMIT %s\"", "String.format(Locale.ROOT, \"%.1f\", it)", "\"%2e\"", "\"5 %\""))
        .noneMatch(LocaleTest::isOffence);
  }

  private static boolean isProduct(Path file) {
    String path = ROOT.relativize(file).toString();
    return path.endsWith(".java")
        && path.contains(SOURCES.toString())
        && TOOLS.stream().noneMatch(path::startsWith);
  }

  private static Stream<String> offences(Path file) {
    try {
      return Files.readAllLines(file).stream()
          .filter(LocaleTest::isOffence)
          .map(line -> file + ": " + line.strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOffence(String line) {
    if (line.strip().startsWith("*") || line.contains("Locale.ROOT")) {
      return false;
    }
    // Or a character of an address, such as %2e.
    boolean isNumber = NUMBER.matcher(line.replaceAll("%[0-9][a-f]\"", "")).find();
    return isNumber || CASE.matcher(line).find();
  }
}
