package io.onceflow.idempotency;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.CanonicalJson;
import io.onceflow.core.internal.CanonicalNumber;
import io.onceflow.idempotency.internal.problem.ProblemType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code docs/reference/idempotency-key.md} promises to clients what the code does, and no more.
 */
class WireDocumentTest {

  private static final Path DOCUMENT = Path.of("../../docs/reference/idempotency-key.md");

  @ParameterizedTest
  @EnumSource(ProblemType.class)
  void listsEveryProblem(ProblemType type) throws IOException {
    assertThat(text())
        .contains("| `%s` | %d | %s |".formatted(type.path(), type.status(), type.title()));
  }

  @Test
  void tellsTheLimits() throws IOException {
    assertThat(text())
        .contains("1 to %d characters, without its quotes".formatted(IdempotencyKey.MAX_LENGTH))
        .contains("| nesting of a JSON body | %d |".formatted(CanonicalJson.DEEPEST))
        .contains("| names and values in a JSON body | %d |".formatted(CanonicalJson.MOST_TOKENS))
        .contains("| 1e-%1$d to 1e%1$d,".formatted(CanonicalNumber.LARGEST_EXPONENT));
  }

  static Stream<List<String>> numbers() throws IOException {
    return rows("\\| `([-0-9.e]+)`(?: \\(.*\\))? \\| .* \\| `([-+0-9.e]+)` \\|");
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void spellsNumbersAsTheyAre(List<String> row) {
    assertThat(CanonicalNumber.of(row.getFirst())).isEqualTo(row.getLast());
  }

  static Stream<List<String>> keys() throws IOException {
    return rows("\\| `([^`]+)`(?:, `([^`]+)`)? \\| the key `([^`]+)`.*\\|");
  }

  @ParameterizedTest
  @MethodSource("keys")
  void readsKeysAsItSays(List<String> row) {
    for (String sent : row.subList(0, row.size() - 1)) {
      assertThat(IdempotencyKey.parse(sent).value()).isEqualTo(row.getLast());
    }
  }

  @Test
  void hasRowsToBeTried() throws IOException {
    assertThat(numbers()).hasSize(5);
    assertThat(keys()).hasSize(5);
  }

  private static Stream<List<String>> rows(String pattern) throws IOException {
    return text()
        .lines()
        .flatMap(line -> Pattern.compile(pattern).matcher(line).results())
        .map(
            row ->
                Stream.iterate(1, i -> i <= row.groupCount(), i -> i + 1)
                    .map(row::group)
                    .filter(group -> group != null)
                    .toList());
  }

  private static String text() throws IOException {
    return Files.readString(DOCUMENT, UTF_8);
  }
}
