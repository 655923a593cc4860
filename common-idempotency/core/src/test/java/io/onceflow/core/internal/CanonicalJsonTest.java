package io.onceflow.core.internal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.util.Collections;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalJsonTest {

  /**
   * RFC 8785 §3.2.2 to §3.2.4, down to the bytes. Its first number is left out: it has more digits
   * than a double carries, so the RFC rounds it and we do not.
   */
  @Test
  void isWhatTheRfcShows() {
    String sent =
        """
        {
          "numbers": [1E30, 4.50, 2e-3, 0.000000000000000000000000001],
          "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
          "literals": [null, true, false]
        }
        """;
    assertThat(canonical(sent))
        .isEqualTo(
            """
            {"literals":[null,true,false],"numbers":[1e+30,4.5,0.002,1e-27],\
            "string":"€$\\u000f\\nA'B\\"\\\\\\\\\\"/"}""");
    assertThat(HexFormat.of().formatHex(CanonicalJson.of(sent.getBytes(UTF_8))))
        .contains("22e282ac245c75303030665c6e4127425c225c5c5c5c5c222f22");
  }

  /** RFC 8785 §3.2.3: by UTF-16 code units, so that an emoji stands before a Hebrew letter. */
  @Test
  void sortsPropertiesAsTheRfcDoes() {
    String sent =
        """
        {"\\u20ac":5, "\\r":1, "\\ufb33":7, "1":2, "\\ud83d\\ude00":6, "\\u0080":3, "\\u00f6":4}
        """;
    assertThat(canonical(sent))
        .isEqualTo("{\"\\r\":1,\"1\":2,\"\u0080\":3,\"ö\":4,\"€\":5,\"😀\":6,\"\ufb33\":7}");
  }

  @Test
  void sortsWithoutRegardToAnyLanguage() {
    assertThat(canonical("{\"pêche\":3,\"péché\":2,\"peach\":1,\"Z\":0,\"\":9}"))
        .isEqualTo("{\"\":9,\"Z\":0,\"peach\":1,\"péché\":2,\"pêche\":3}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"a":1,"b":2}                 | {"b":2,"a":1}
          {"x":{"a":1,"b":[1,{"c":2,"d":3}]}} | {"x":{"b":[1,{"d":3,"c":2}],"a":1}}
          {"a":1}                       | ` { "a" : 1 } `
          {"a":10}                      | {"a":1e1}
          {"a":0}                       | {"a":-0.0}
          {"a":"ü"}                     | {"a":"\\u00fc"}
          {"a":"\\u001f"}               | {"a":"\\u001F"}
          {"a":"/"}                     | {"a":"\\/"}
          {"a":"\\n"}                   | {"a":"\\u000a"}
          {"a":"😀"}                    | {"a":"\\uD83D\\uDE00"}
          {"ü":1}                       | {"\\u00fc":1}
          []                            | [ ]
          """)
  void isTheSameHoweverItIsSpelled(String one, String other) {
    assertThat(canonical(one)).isEqualTo(canonical(other));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"a":1}                       | {"a":2}
          {"a":1}                       | {"b":1}
          {"a":1}                       | {"a":"1"}
          {"a":null}                    | {}
          {}                            | []
          {"a":[1,2]}                   | {"a":[2,1]}
          {"a":[[1],2]}                 | {"a":[1,[2]]}
          {"a":true}                    | {"a":false}
          {"a":"ü"}                     | {"a":"u\\u0308"}
          {"account":12345678901234567} | {"account":12345678901234568}
          """)
  void differsWhenAnyValueDoes(String one, String other) {
    assertThat(canonical(one)).isNotEqualTo(canonical(other));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"a":1                | it ends too early, at line 1, column
          "a                    | it ends too early
          {a:1}                 | was expecting double-quote to start field name, at line 1, column 2
          {"a":1}}              | Unexpected close marker
          {"a":1} {"a":1}       | something follows its end, at line 1, column 9
          [1,]                  | Unexpected character (']'
          {"a":NaN}             | Non-standard token 'NaN', at
          {"a":01}              | Leading zeroes not allowed
          {"a":+1}              | plus sign
          {"a":.5}              | Unexpected character ('.'
          [1.]                  | Decimal point not followed by a digit
          ["\\x"]               | Unrecognized character escape
          /**/1                 | Unexpected character ('/'
          nonsense              | Unrecognized token 'nonsense'
          ` `                   | nothing but white space
          """)
  void refusesWhatIsNotJsonAndSaysWhere(String body, String why) {
    refuses(body, why);
  }

  @Test
  void saysNothingThatOnlyItsAuthorsUnderstand() {
    assertThatExceptionOfType(MalformedBody.class)
        .isThrownBy(() -> canonical("{\"a\":NaN}"))
        .withMessageStartingWith("The body is not well-formed JSON: ")
        .withMessageEndingWith("send it again, under the same key if you like.")
        .withMessageNotContainingAny("enable", "Source", "Feature", "\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"amount\":1,\"amount\":100}",
        "{\"amount\":1,\"amount\":1}",
        "[{\"x\":{\"amount\":1,\"\\u0061mount\":null}}]",
      })
  void refusesAPropertyThatOccursTwice(String body) {
    refuses(body, "property \"amount\" occurs twice, at line 1, column ");
  }

  @Test
  void doesNotRepeatALongNameInItsRefusal() {
    String name = "n".repeat(10_000);
    assertThatExceptionOfType(MalformedBody.class)
        .isThrownBy(() -> canonical("{\"%1$s\":1,\"%1$s\":1}".formatted(name)))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[\"\\ud800\"]",
        "[\"\\udc00\"]",
        "[\"\\udc00\\ud800\"]",
        "[\"\\ud800\\ud800\\udc00\"]",
        "{\"\\ud800\":1}",
        "[\"\\ud83d text\"]",
      })
  void refusesHalfASurrogatePair(String body) {
    refuses(body, "half a surrogate pair");
  }

  @Test
  void refusesAByteOrderMark() {
    refuses("\uFEFF{}", "byte order mark");
  }

  @Test
  void refusesAnyOtherEncoding() {
    refuses("{\"ü\":1}", ISO_8859_1, "not UTF-8");
    refuses("{}", UTF_16, "not UTF-8");
    refuses(new byte[] {'"', (byte) 0xc0, (byte) 0x80, '"'}, "not UTF-8"); // a zero, too long
    refuses(new byte[] {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'}, "not UTF-8"); // \ud800
  }

  @Test
  void refusesNestingBeyondAllReasonWithoutRunningOutOfStack() {
    refuses("[".repeat(1_000_000), "nested more than 100 deep");
    refuses("{\"a\":".repeat(1_000_000), "nested more than 100 deep");
  }

  @Test
  void takesNestingUpToThat() {
    String deep = "[".repeat(100) + "]".repeat(100);
    assertThat(canonical(deep)).isEqualTo(deep);
  }

  /** A megabyte of these would cost a thread and the heap for nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"null", "{}", "[]", "0"})
  void refusesMoreValuesThanAnyDocumentHolds(String value) {
    String body = "[" + String.join(",", Collections.nCopies(CanonicalJson.MOST_TOKENS, value));
    refuses(body, "it holds more than 250000 names and values");
  }

  /** What it allocates is bounded by the length of the text, whatever stands in it. */
  @ParameterizedTest
  @ValueSource(strings = {"null", "{}", "{\"b\":0,\"a\":0}", "[[],[]]", "\"\""})
  void allocatesInProportionToTheLengthOfTheText(String value) {
    int tokens = 6;
    String body =
        "[" + String.join(",", Collections.nCopies(CanonicalJson.MOST_TOKENS / tokens - 1, value));
    byte[] sent = (body + "]").getBytes(UTF_8);
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    CanonicalJson.of(sent);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100L * sent.length);
  }

  @Test
  void copiesDeepObjectsInDisorderOnceForEachLevel() {
    String inner = "\"" + "x".repeat(900_000) + "\"";
    String body = inner;
    for (int i = 0; i < CanonicalJson.DEEPEST; i++) {
      body = "{\"b\":" + body + ",\"a\":1}";
    }
    byte[] sent = body.getBytes(UTF_8);
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThat(CanonicalJson.of(sent)).startsWith("{\"a\":1,\"b\":{\"a\":1".getBytes(UTF_8));
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(30L * sent.length);
  }

  /** Jackson's own limits are 20 million characters of a text and 50,000 of a name. */
  @Test
  void takesTextsOfAnyLength() {
    String text = "{\"%s\":\"%s\"}".formatted("n".repeat(60_000), "t".repeat(21_000_000));
    assertThat(canonical(text)).isEqualTo(text);
  }

  @Test
  void takesNamesWhoseHashesAreTheSame() {
    StringBuilder body = new StringBuilder("{\"last\":0");
    for (int i = 0; i < 1 << 12; i++) {
      body.append(",\"");
      for (int bit = 0; bit < 12; bit++) {
        body.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      body.append("\":").append(i);
    }
    assertThat(canonical(body.append('}').toString())).endsWith(",\"last\":0}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"text\"", "42", "null", "true", "[1]"})
  void readsAnyValueNotOnlyObjects(String body) {
    assertThat(canonical(body)).isEqualTo(body);
  }

  private static void refuses(String body, String why) {
    refuses(body, UTF_8, why);
  }

  private static void refuses(String body, Charset encoding, String why) {
    refuses(body.getBytes(encoding), why);
  }

  private static void refuses(byte[] body, String why) {
    assertThatExceptionOfType(MalformedBody.class)
        .isThrownBy(() -> CanonicalJson.of(body))
        .withMessageContaining(why);
  }

  private static String canonical(String body) {
    return new String(CanonicalJson.of(body.getBytes(UTF_8)), UTF_8);
  }
}
