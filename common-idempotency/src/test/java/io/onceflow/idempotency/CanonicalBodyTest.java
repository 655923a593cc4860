package io.onceflow.idempotency;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalBodyTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"a":1,"b":2}                 | {"b":2,"a":1}
          {"x":{"a":1,"b":[1,{"c":2,"d":3}]}} | {"x":{"b":[1,{"d":3,"c":2}],"a":1}}
          {"a":1}                       | ` { "a" : 1 } `
          {"a":10}                      | {"a":10.0}
          {"a":10}                      | {"a":1e1}
          {"a":1000}                    | {"a":1E+3}
          {"a":0.5}                     | {"a":5.00e-1}
          {"a":0}                       | {"a":-0.0}
          {"a":"ü"}                     | {"a":"\\u00fc"}
          {"a":"/"}                     | {"a":"\\/"}
          {"a":"😀"}                    | {"a":"\\uD83D\\uDE00"}
          {"ü":1}                       | {"\\u00fc":1}
          """)
  void isTheSameHoweverItIsSpelled(String one, String other) throws IOException {
    assertThat(json(one)).isEqualTo(json(other));
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
          {"a":[1,2]}                   | {"a":[2,1]}
          {"a":true}                    | {"a":false}
          {"a":"ü"}                     | {"a":"u\\u0308"}
          {"a":"\\ud800"}               | {"a":"?"}
          {"a":"\\ud800"}               | {"a":"\\ud801"}
          {"account":12345678901234567} | {"account":12345678901234568}
          {"a":0.1234567890123456789}   | {"a":0.1234567890123456788}
          {"a":1e400}                   | {"a":1e401}
          """)
  void differsWhenAnyValueDoes(String one, String other) throws IOException {
    assertThat(json(one)).isNotEqualTo(json(other));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":1",
        "{a:1}",
        "{\"a\":1}}",
        "{\"a\":1} {\"a\":1}",
        "{\"a\":NaN}",
        "{\"a\":01}",
        " "
      })
  void refusesWhatIsNotJson(String body) {
    assertThatIOException().isThrownBy(() -> json(body));
  }

  @Test
  void refusesAPropertyThatOccursTwice() {
    assertThatIOException()
        .isThrownBy(() -> json("{\"amount\":1,\"amount\":100}"))
        .withMessageContaining("amount");
    assertThatIOException().isThrownBy(() -> json("[{\"x\":{\"a\":1,\"\\u0061\":2}}]"));
  }

  @Test
  void refusesNestingBeyondAllReasonWithoutRunningOutOfStack() {
    assertThatIOException().isThrownBy(() -> json("[".repeat(1_000_000)));
  }

  @Test
  void refusesANumberThatWouldFillTheMemoryWhenWrittenOut() {
    assertThatIOException().isThrownBy(() -> json("{\"a\":1e999999999}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"text\"", "42", "null", "true", "[1]"})
  void readsAnyValueNotOnlyObjects(String body) throws IOException {
    assertThat(json(body)).isEqualTo(body);
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json", "application/JSON;charset=utf-8", "text/x+json"})
  void takesForJsonWhatSaysSo(String type) throws IOException {
    assertThat(of("{ }", type)).isEqualTo("{}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/octet-stream", "application/jsonish"})
  void takesAnythingElseByteForByte(String type) throws IOException {
    assertThat(of("{ }", type)).isEqualTo("{ }");
    assertThat(of("{\"a\":1,\"a\":1", type)).isEqualTo("{\"a\":1,\"a\":1");
  }

  @Test
  void takesABodyWithoutATypeByteForByte() throws IOException {
    byte[] body = {1, -1, 0};
    assertThat(CanonicalBody.of(body, null)).isEqualTo(body);
  }

  @Test
  void leavesAnEmptyBodyEmptyWhateverItCallsItself() throws IOException {
    assertThat(json("")).isEmpty();
  }

  private static String json(String body) throws IOException {
    return of(body, MediaType.APPLICATION_JSON);
  }

  private static String of(String body, String type) throws IOException {
    return new String(CanonicalBody.of(body.getBytes(UTF_8), MediaType.valueOf(type)), UTF_8);
  }
}
