package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code llms.txt}, the list of pages for assistants, is made of the tables in docs/README.md. */
class AssistantIndexTest {

  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final Path INDEX = ROOT.resolve("llms.txt");
  private static final Path TABLES = ROOT.resolve("docs/README.md");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\[.+\\)) \\| (.+) \\|$");
  private static final Pattern HEADING = Pattern.compile("(?m)^## (?!To begin)(.+)$");
  private static final Pattern LINK = Pattern.compile("\\[([^]]+)]\\(([^)]+\\.md)\\)");

  private static final String HEAD =
      """
      # Onceflow

      > Sagas, idempotency and a transactional outbox for Java services on Quarkus: every step of a business transaction
      > across services takes effect exactly once, or is undone exactly once. One dependency, io.onceflow:quarkus-onceflow;
      > PostgreSQL holds the state; RabbitMQ, Kafka, SmallRye channels or no broker carry the messages.

      Begin with docs/guide/first-saga.md; AGENTS.md has the rules in short.
      """;

  @Test
  void listsThePagesAsTheirTablesDo() throws IOException {
    String made = made(Files.readString(TABLES));
    if (Boolean.getBoolean("onceflow.regenerate")) {
      Files.writeString(INDEX, made);
    }
    assertThat(INDEX).as("made again with -Donceflow.regenerate=true").hasContent(made);
  }

  /** A page that no table has is not found. */
  @Test
  void everyPageIsInATable() throws IOException {
    List<String> listed =
        LINK.matcher(Files.readString(TABLES)).results().map(link -> link.group(2)).toList();
    try (Stream<Path> pages = Files.walk(ROOT.resolve("docs"), 2)) {
      assertThat(
              pages
                  .map(page -> ROOT.resolve("docs").relativize(page).toString())
                  .filter(page -> page.matches("(guide|operations|reference|internals)/.+\\.md")))
          .isSubsetOf(listed);
    }
  }

  private static String made(String tables) {
    StringBuilder all = new StringBuilder(HEAD);
    Pattern either = Pattern.compile(HEADING.pattern() + "|" + ROW.pattern());
    either
        .matcher(tables)
        .results()
        .forEach(
            found ->
                all.append(
                    found.group(1) == null
                        ? row(found.group(2), found.group(3))
                        : "\n## %s\n\n".formatted(found.group(1))));
    return all.toString();
  }

  private static String row(String links, String says) {
    return String.join("", LINK.matcher(links).results().map(link -> line(link, says)).toList());
  }

  private static String line(MatchResult link, String says) {
    return "- [%s](docs/%s): %s\n".formatted(link.group(1), link.group(2), says);
  }
}
