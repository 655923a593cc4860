package io.onceflow.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.core.internal.MalformedIdempotencyKey;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
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
  void takesAnyPrintableAsciiInQuotes() {
    String all =
        IntStream.rangeClosed(0x20, 0x7e)
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"abc\";q",
        "\"abc\"; q",
        "\"abc\";q=1;r=?0",
        "\"abc\";q=\"x, \\\"y\"",
        "\"abc\";*q=text/plain",
        "\"abc\";q=:aGk=:;r=-1.5",
      })
  void ignoresParameters(String header) {
    assertThat(IdempotencyKey.parse(header).value()).isEqualTo("abc");
  }

  /** The cases of httpwg/structured-field-tests, string.json, that one header line can hold. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "foo bar"                  | foo bar
          "   "                      | `   `
          " a "                      | ` a `
          "b\\\\a"                   | b\\a
          "foo \\"bar\\" \\\\ baz"   | foo "bar" \\ baz
          "foo                       |
          "foo \\                    |
          "foo \\"                   |
          "foo \\,"                  |
          'foo "bar'                 | 'foo "bar'
          """)
  void readsStringsAsStructuredFieldsDo(String header, @Nullable String key) {
    if (key == null) {
      assertThatThrownBy(() -> IdempotencyKey.parse(header))
          .isInstanceOf(MalformedIdempotencyKey.class);
    } else {
      assertThat(IdempotencyKey.parse(header).value()).isEqualTo(key);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"two words", "a  b", "a ;b", "a ,b"})
  void takesSpacesInTheBareForm(String bare) {
    assertThat(IdempotencyKey.parse(" " + bare + "\t").value()).isEqualTo(bare);
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
          '"abc'          | closing quote is missing
          '"'             | closing quote is missing
          '"abc\\'        | a backslash may escape only
          '"abc\\"'       | closing quote is missing
          '"ab\\c"'       | a backslash may escape only
          '"ab"c"'        | something follows
          '"abc" d'       | something follows
          '"abc" ;q'      | something follows
          '"abc";Q=1'     | something follows
          '"abc";q='      | something follows
          '"abc";q="'     | something follows
          '"abc";q="\\z"'  | something follows
          '"abc";q=1, "b"'| something follows
          'abc, def'      | it is a list
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
  @ValueSource(chars = {0, '\n', '\r', '\t', 0x1f, 0x7f, 0x80, 0xa0, 0x2028})
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
        .hasMessageContaining("1 to 255 printable ASCII characters");
  }
}
