package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A prepared statement whose result is {@code *} fails with 0A000 once a migration has added a
 * column, until its connection is closed. So each statement writes the columns of its result out.
 */
class WrittenOutColumnsTest {

  private static final Path ROOT = Path.of("../..");
  private static final List<String> TOOLS = List.of("verification", "quarkus-onceflow/archetype");

  private static final Pattern TEXT =
      Pattern.compile(
          "\"\"\"\\n(?<block>.*?)\"\"\"|\"(?<line>(?:[^\"\\\\\\n]|\\\\.)*)\"", Pattern.DOTALL);

  /** Of the statement itself: what is indented is a part of it, whose columns it names. */
  private static final Pattern STAR =
      Pattern.compile("^(SELECT|RETURNING|\\S.*\\bRETURNING) +(\\w+\\.)?\\*", Pattern.MULTILINE);

  private static final Pattern STAR_RETURNED =
      Pattern.compile("^RETURNING +(\\w+\\.)?\\*", Pattern.MULTILINE);

  @Test
  void noStatementsResultIsWhateverTheTableHas() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      List<Path> sources = files.filter(WrittenOutColumnsTest::isProduct).toList();

      assertThat(sources).hasSizeGreaterThan(500);
      assertThat(sources.stream().flatMap(WrittenOutColumnsTest::offences)).isEmpty();
    }
  }

  @Test
  void findsAStarInTheResult() {
    assertThat(
            Stream.of(
                "SELECT * FROM payment",
                "SELECT   *\nFROM     payment",
                "SELECT p.* FROM payment p",
                "DELETE FROM payment WHERE id = ? RETURNING *",
                "INSERT INTO payment (id)\nVALUES (?)\nRETURNING *"))
        .allMatch(WrittenOutColumnsTest::isOffence);
    assertThat(
            Stream.of(
                "SELECT count(*) FROM payment",
                "SELECT id\nFROM   (SELECT * FROM payment) AS p",
                "WITH moved AS (\n  DELETE FROM payment\n  RETURNING *\n)\nSELECT id FROM moved",
                "INSERT INTO payment (id)\nSELECT *\nFROM   unnest(?::uuid[])"))
        .noneMatch(WrittenOutColumnsTest::isOffence);
  }

  private static boolean isProduct(Path file) {
    String path = ROOT.relativize(file).toString();
    return path.endsWith(".java")
        && path.contains("src/main/java")
        && TOOLS.stream().noneMatch(path::startsWith);
  }

  private static Stream<String> offences(Path file) {
    try {
      return TEXT
          .matcher(Files.readString(file))
          .results()
          .map(WrittenOutColumnsTest::text)
          .filter(WrittenOutColumnsTest::isOffence)
          .map(sql -> file + ": " + sql)
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(MatchResult literal) {
    String block = literal.group(1);
    return block == null ? literal.group(2) : block.stripIndent();
  }

  /** What an INSERT selects is not its result. */
  private static boolean isOffence(String sql) {
    boolean isInsert = sql.lines().anyMatch(line -> line.startsWith("INSERT INTO"));
    return (isInsert ? STAR_RETURNED : STAR).matcher(sql).find();
  }
}
