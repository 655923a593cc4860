package io.onceflow.idempotency;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Docs, comments and messages are plain technical English: {@code words.txt} lists what they do not
 * say, and what to write instead. Names, code and the decisions of {@code docs/adr} are not read.
 */
class WordsTest {

  private static final Path ROOT = Path.of("../..");
  private static final List<String> TOOLS = List.of("benchmarks/", "simulation/", "archetype/");

  /** Sections of the list. */
  private static final String DOCS = "docs";

  private static final String COMMENTS = "comments";
  private static final String MESSAGES = "messages";
  private static final String CONSOLE = "console";

  private static final Pattern NOT_SHOWN =
      Pattern.compile("(?s)(?<!:)//[^\\n]*|/\\*.*?\\*/|\\b[A-Z_]{3,}\\b");

  private static final Pattern NOT_PROSE =
      Pattern.compile("(?s)^ *```.*?^ *```|`[^`]*`|(?<=])\\([^)]*\\)", Pattern.MULTILINE);

  private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?s)(?<literal>\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\")"
              + "|(?<character>'(?:\\\\.|[^'\\\\\\n])')"
              + "|(?<comment>//[^\\n]*|/\\*.*?\\*/)");
  private static final Pattern TAG =
      Pattern.compile("(?s)\\{@[^}]*}|<pre>.*?</pre>|@param\\s+\\S+");
  private static final Pattern MARGIN = Pattern.compile("\\n\\s*(\\*|//)");

  @Test
  void docsDoNotSayWhatIsListed() throws IOException {
    Pattern words = words(DOCS);
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      List<Path> pages =
          Stream.concat(files.filter(WordsTest::isPage), Stream.of(ROOT.resolve("README.md")))
              .toList();

      assertThat(pages).hasSizeGreaterThan(40);
      assertThat(pages.stream().flatMap(it -> offences(it, prose(read(it)), words))).isEmpty();
    }
  }

  @Test
  void commentsAndMessagesDoNotSayWhatIsListed() throws IOException {
    Pattern comments = words(COMMENTS);
    Pattern messages = words(MESSAGES);
    try (Stream<Path> files = Files.walk(ROOT)) {
      List<Path> sources = files.filter(WordsTest::isSource).toList();

      assertThat(sources).hasSizeGreaterThan(500);
      assertThat(
              sources.stream()
                  .flatMap(
                      it -> {
                        String text = read(it);
                        return Stream.concat(
                            offences(it, tokens(text, "comment"), comments),
                            offences(it, tokens(text, "literal"), messages));
                      }))
          .isEmpty();
    }
  }

  @Test
  void theConsoleDoesNotSayWhatIsListed() throws IOException {
    Pattern words = words(CONSOLE);
    try (Stream<Path> files = Files.walk(ROOT.resolve("quarkus-onceflow/console/src/main/web"))) {
      List<Path> scripts = files.filter(it -> it.toString().endsWith(".ts")).toList();

      assertThat(scripts).hasSizeGreaterThan(30);
      assertThat(
              scripts.stream()
                  .flatMap(it -> offences(it, NOT_SHOWN.matcher(read(it)).replaceAll(""), words)))
          .isEmpty();
    }
  }

  @Test
  void findsWhatIsListedAlsoAcrossLinesAndOnlyInProse() {
    assertThat(found(prose("It is turned\naway at the door."), words(DOCS)))
        .containsExactly("turned away", "at the door");
    assertThat(found(tokens("/** It is turned\n * away. */", "comment"), words(COMMENTS)))
        .containsExactly("turned away");
    assertThat(found(tokens("log(\"it is turned\"\n + \" away\");", "literal"), words(MESSAGES)))
        .containsExactly("turned away");

    assertThat(found(prose("`at the door`\n```\nat the door\n```"), words(DOCS))).isEmpty();
    assertThat(found(prose("[why](0018-at the door.md)"), words(DOCS))).isEmpty();
    assertThat(found(tokens("/** {@code turned away} */", "comment"), words(COMMENTS))).isEmpty();
    assertThat(found(tokens("turned.away(); // \"", "literal"), words(MESSAGES))).isEmpty();
  }

  /** The words of a section; a heading may name several, as in {@code [docs comments]}. */
  private static Pattern words(String section) {
    List<String> words = new ArrayList<>();
    Set<String> sections = Set.of();
    for (String line : list().lines().map(String::strip).toList()) {
      if (line.startsWith("[")) {
        sections = Set.of(line.substring(1, line.length() - 1).split(" "));
      } else if (!line.isEmpty() && !line.startsWith("#") && sections.contains(section)) {
        words.add(Pattern.quote(line.split(" => ")[0]));
      }
    }
    return Pattern.compile(
        "(?<![\\w-])(" + String.join("|", words) + ")(?![\\w-])", Pattern.CASE_INSENSITIVE);
  }

  private static String list() {
    try (var list = WordsTest.class.getResourceAsStream("words.txt")) {
      return new String(list.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isPage(Path file) {
    String path = ROOT.relativize(file).toString();
    return path.endsWith(".md") && !path.startsWith("docs/adr/");
  }

  private static boolean isSource(Path file) {
    String path = ROOT.relativize(file).toString();
    return path.endsWith(".java")
        && path.contains("src/main/java")
        && TOOLS.stream().noneMatch(path::contains);
  }

  private static String prose(String page) {
    return oneLine(NOT_PROSE.matcher(page).replaceAll("_"));
  }

  private static String tokens(String source, String kind) {
    return TOKEN
        .matcher(JOINED.matcher(source).replaceAll(""))
        .results()
        .map(it -> it.group(kind))
        .filter(it -> it != null)
        .map(it -> MARGIN.matcher(TAG.matcher(it).replaceAll("_")).replaceAll(" "))
        .map(WordsTest::oneLine)
        .collect(joining("\n"));
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s+", " ");
  }

  private static Stream<String> offences(Path file, String text, Pattern words) {
    return words.matcher(text).results().map(it -> file + " says " + excerpt(text, it));
  }

  private static List<String> found(String text, Pattern words) {
    return words.matcher(text).results().map(MatchResult::group).toList();
  }

  private static String excerpt(String text, MatchResult word) {
    return "\"%s\": %s"
        .formatted(
            word.group(),
            text.substring(
                Math.max(0, word.start() - 40), Math.min(text.length(), word.end() + 40)));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
