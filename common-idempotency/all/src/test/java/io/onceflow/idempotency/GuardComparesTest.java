package io.onceflow.idempotency;

import static io.onceflow.idempotency.GuardRefusesTest.assertProblem;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests the guard takes for the same, and which it cannot compare at all. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class GuardComparesTest extends GuardedThings {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"price\":10.0,\"name\":\"%s\"}",
        " { \"name\" : \"%s\" , \"price\" : 1e1 } ",
        "{\"\\u006eame\":\"%s\",\"price\":0.10E+02}",
      })
  void theSpellingOfAJsonBodyDoesNotMatter(String spelling) {
    Answer first = ada.post("/things", key, "{\"name\":\"%s\",\"price\":10}".formatted(name));
    Answer second = ada.post("/things", key, spelling.formatted(name));
    assertThat(second.isReplay()).isTrue();
    assertThat(second.bytes()).isEqualTo(first.bytes());
    assertKeptOnce();
  }

  @ParameterizedTest
  @CsvSource({
    "/things/a~b/by-uri, /things/a%7Eb/by-uri",
    "/things/caf%C3%A9/by-uri, /things/caf%c3%a9/by-uri",
    "/things?x=~, /things?x=%7e",
  })
  void neitherDoesTheSpellingOfItsUri(String one, String other) {
    ada.post(one, key, body);
    assertThat(ada.post(other, key, body).isReplay()).isTrue();
    assertKeptOnce();
  }

  @ParameterizedTest
  @CsvSource({
    "/things?a=1&b=2, /things?b=2&a=1",
    "/things?a=1+2, /things?a=1%202",
    "/things;a=1?b=1, /things;a=1?b=2",
    "/things;a=1, /things;a=2",
    "/things;a=1, /things",
    "/things/a%2Fb/by-uri, /things/a%2Gb/by-uri",
  })
  void whatMayMeanSomethingElseIsAnotherRequest(String one, String other) throws Exception {
    ada.post(one, key, body);
    Answer second = ada.post(other.replace("%2G", "%2B"), key, body);
    assertProblem(second, 422, "idempotency-key-reused");
    assertKeptOnce();
  }

  /** 17 digits and more are not for doubles. */
  @ParameterizedTest
  @CsvSource({
    "9007199254740992, 9007199254740993",
    "0.12345678901234567, 0.12345678901234568",
    "1e400, 1e401",
  })
  void numbersThatDifferInTheLastDigitAreDifferent(String one, String other) throws Exception {
    String priced = "{\"name\":\"%s\",\"price\":%s}";
    ada.post("/things", key, priced.formatted(name, one));
    Answer second = ada.post("/things", key, priced.formatted(name, other));
    assertProblem(second, 422, "idempotency-key-reused");
    assertKeptOnce();
  }

  @Test
  void aBodyIsComparedToItsLastByteHoweverLong() throws Exception {
    String much = "{\"name\":\"%s\",\"note\":\"%s%s\"}";
    String megabytes = "x".repeat(3 << 20);
    assertThat(ada.post("/things", key, much.formatted(name, megabytes, "y")).status())
        .isEqualTo(201);
    Answer other = ada.post("/things", key, much.formatted(name, megabytes, "z"));
    assertProblem(other, 422, "idempotency-key-reused");
    assertThat(ada.post("/things", key, much.formatted(name, megabytes, "y")).isReplay()).isTrue();
    assertKeptOnce();
  }

  static Stream<Arguments> incomparable() {
    return Stream.of(
        Arguments.of("half a surrogate pair", "{\"name\":\"\\ud800\"}", "half a surrogate pair"),
        Arguments.of("a byte order mark", "\uFEFF{\"name\":\"a\"}", "byte order mark"),
        Arguments.of("a number without end", "{\"price\":1e1000000000}", "1e9999"),
        Arguments.of("a hole without end", "[".repeat(500_000), "nested more than 100 deep"),
        Arguments.of("a property twice", "{\"name\":1,\"name\":1}", "\"name\" occurs twice"),
        Arguments.of("half a body", "{\"name\":", "ends too early, at line 1"),
        Arguments.of("white space", "  ", "nothing but white space"),
        Arguments.of("not a number", "{\"price\":NaN}", "Non-standard token 'NaN', at line 1"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("incomparable")
  void whatIsNoJsonIsRefusedAndSaysWhy(String what, String json, String why) throws Exception {
    Answer refused = ada.post("/things", key, json);
    assertProblem(refused, 400, "malformed-body");
    assertThat(refused.text()).contains(why.replace("\"", "\\\"")).hasSizeLessThan(600);
    assertNothingKept();
    assertThat(ada.post("/things", key, body).status()).as("the key is free").isEqualTo(201);
  }

  @Test
  void jsonInAnotherEncodingIsRefused() throws Exception {
    Answer refused =
        ada.send(
            ada.request("/things", "")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofByteArray(new byte[] {'"', (byte) 0xe9, '"'})));
    assertProblem(refused, 400, "malformed-body");
    assertThat(refused.text()).contains("not UTF-8");
  }

  @Test
  void jsonThatNamesAnotherCharsetIsRefused() throws Exception {
    Answer refused =
        ada.send(
            ada.request("/things", body)
                .setHeader("Content-Type", "application/json;charset=iso-8859-1")
                .header("Idempotency-Key", key));
    assertProblem(refused, 400, "malformed-body");
    assertThat(refused.text()).contains("charset=iso-8859-1");
  }

  /** No client should send these, and none may bring the guard down. */
  @ParameterizedTest
  @ValueSource(
      strings = {"?a={b}", "?a=|", "?%", "?a=%zz", "?a=\"<>\"", "?a=[1]", "?\u00e9", "?a#b"})
  void aQueryThatBreaksTheRulesBreaksNothingElse(String query) throws Exception {
    int status = ada.statusFor("/things" + query, key, body);
    assertThat(status).isIn(201, 400);
    if (status == 201) {
      assertKeptOnce();
    } else {
      assertNothingKept();
    }
  }

  /** The handler reads the very bytes that were sent, not the form that was compared. */
  @Test
  void theMethodGetsWhatWasSent() {
    String odd = "{\"price\":1.50,\"name\":\"%s\"}".formatted(name);
    Answer made = ada.post("/things/echo", key, odd);
    assertThat(new String(made.bytes(), UTF_8)).isEqualTo(odd);
  }
}
