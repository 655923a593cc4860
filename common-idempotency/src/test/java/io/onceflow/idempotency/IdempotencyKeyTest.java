package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTest {

  @Test
  void meansTheSameQuotedAndBare() {
    assertThat(IdempotencyKey.parse("\"5f0c7a\"")).isEqualTo(IdempotencyKey.parse("5f0c7a"));
  }

  @Test
  void readsTheTwoEscapesOfAQuotedKey() {
    assertThat(IdempotencyKey.parse("\"a\\\"b\\\\c\"").value()).isEqualTo("a\"b\\c");
  }

  @Test
  void takesABareKeyAsItStands() {
    assertThat(IdempotencyKey.parse("a\"b\\c;d=1").value()).isEqualTo("a\"b\\c;d=1");
  }

  @Test
  void doesNotMindSpaceAroundIt() {
    assertThat(IdempotencyKey.parse("  \"5f0c7a\"\t").value()).isEqualTo("5f0c7a");
  }

  @Test
  void mayHave255CharactersWithoutItsQuotes() {
    String longest = "k".repeat(255);
    assertThat(IdempotencyKey.parse("\"" + longest + "\"").value()).isEqualTo(longest);
  }

  @Test
  void mayNotHave256() {
    assertThatThrownBy(() -> IdempotencyKey.parse("k".repeat(256)))
        .isInstanceOf(MalformedIdempotencyKey.class)
        .hasMessageContaining("256 characters");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''              | it is empty
          '   '           | it is empty
          '""'            | it is empty
          'a b'           | U+0020
          '"a b"'         | U+0020
          '"abc'          | closing quote is missing
          '"'             | closing quote is missing
          '"abc\\'        | a backslash may escape only
          '"abc\\"'       | closing quote is missing
          '"ab\\c"'       | a backslash may escape only
          '"ab"c"'        | something follows
          '"abc";q=1'     | something follows
          '"abc", "def"'  | something follows
          'Schlüssel'     | U+00FC
          '"🔑"'          | U+D83D
          """)
  void refusesWhatIsNeitherForm(String header, String why) {
    assertThatThrownBy(() -> IdempotencyKey.parse(header))
        .isInstanceOf(MalformedIdempotencyKey.class)
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @ValueSource(chars = {0, '\n', '\r', '\t', 0x1f, ' ', 0x7f, 0x80, 0xa0, 0x2028})
  void refusesWhatCannotBeSeen(char unseen) {
    String header = "\"a" + unseen + "b\"";
    assertThatThrownBy(() -> IdempotencyKey.parse(header))
        .isInstanceOf(MalformedIdempotencyKey.class)
        .hasMessageContaining("character 2");
  }

  @Test
  void tellsTheCallerWhatToSendInstead() {
    assertThatThrownBy(() -> IdempotencyKey.parse(""))
        .hasMessageContaining("1 to 255 visible ASCII characters");
  }
}
