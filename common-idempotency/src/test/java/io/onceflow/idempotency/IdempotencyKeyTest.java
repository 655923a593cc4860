package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "8e03978e-40d5-43dd-bc93-6894a57f9324", // no token of RFC 8941, since it begins with a
        // digit
        "42",
        "k",
        "c2FsdA==",
        "order:2026/07#3",
        "*tok.en~!$%&'()+<=>?@[]^_`{|}",
      })
  void takesABareKeyAsItStands(String bare) {
    assertThat(IdempotencyKey.parse(bare).value()).isEqualTo(bare);
    assertThat(IdempotencyKey.parse("\"" + bare + "\"").value()).isEqualTo(bare);
  }

  @Test
  void takesAnyVisibleAsciiInQuotes() {
    String all =
        IntStream.rangeClosed(0x21, 0x7e)
            .mapToObj(c -> String.valueOf((char) c))
            .collect(Collectors.joining());
    String quoted = "\"" + all.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    assertThat(IdempotencyKey.parse(quoted).value()).isEqualTo(all);
  }

  /** Two header lines may come as one, joined by a comma and a space. */
  @ParameterizedTest
  @ValueSource(strings = {"a, b", "\"a\", \"b\"", "\"a\",b"})
  void refusesTwoKeysThatWereJoined(String joined) {
    assertThatThrownBy(() -> IdempotencyKey.parse(joined))
        .isInstanceOf(MalformedIdempotencyKey.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a,b", "a;b=1", "a\"b", "a\\b", "urn:a/b?c#d"})
  void takesTheBareFormAsItIs(String bare) {
    assertThat(IdempotencyKey.parse(bare).value()).isEqualTo(bare);
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
          '"abc" d'       | something follows
          '"abc";q=1'     | it has a parameter
          '"abc" ;q'      | it has a parameter
          '"abc", "def"'  | it is a list
          '"abc" , "def"' | it is a list
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

  @ParameterizedTest
  @ValueSource(chars = {'\n', '\r', 0x0b, 0x0c, 0x1c, 0x85, 0xa0, 0x2003, 0x2028, 0xfeff})
  void takesNothingElseForTheSpaceAroundIt(char space) {
    assertThatThrownBy(() -> IdempotencyKey.parse(space + "abc" + space))
        .isInstanceOf(MalformedIdempotencyKey.class)
        .hasMessageContaining("character 1");
  }

  @Test
  void tellsTheCallerWhatToSendInstead() {
    assertThatThrownBy(() -> IdempotencyKey.parse(""))
        .hasMessageContaining("1 to 255 visible ASCII characters");
  }
}
