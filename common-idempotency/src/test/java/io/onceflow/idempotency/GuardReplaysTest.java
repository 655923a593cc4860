package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.quickstart.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** DESIGN §3: again, same request, done: the stored status, headers and body, byte for byte. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class GuardReplaysTest extends GuardedThings {

  @Test
  void runsTheFirstAndSaysNothingOfReplays() {
    Answer first = ada.post("/things", key, body);
    assertThat(first.status()).isEqualTo(201);
    assertThat(first.isReplay()).isFalse();
    assertThat(first.header("X-Made-Under")).isEqualTo(key);
    assertKeptOnce();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/things",
        "/things/nothing-to-say",
        "/things/text",
        "/things/page",
        "/things/bytes",
        "/things/a/by-uri"
      })
  void answersTheRepeatWithTheSameStatusHeadersAndBytes(String path) {
    Answer first = ada.post(path, key, body);
    Answer second = ada.post(path, key, body);
    assertThat(first.status()).isBetween(200, 299);
    assertThat(second.status()).isEqualTo(first.status());
    assertThat(second.bytes()).isEqualTo(first.bytes());
    var expected = new TreeMap<>(first.headers());
    expected.put("idempotent-replayed", List.of("true"));
    assertThat(second.headers()).isEqualTo(expected);
    assertThat(runs.of(name)).isEqualTo(1);
    assertKeptOnce();
  }

  @Test
  void answersHoweverOften() {
    Answer first = ada.post("/things", key, body);
    for (int i = 0; i < 5; i++) {
      assertThat(ada.post("/things", key, body).bytes()).isEqualTo(first.bytes());
    }
    assertKeptOnce();
  }

  @Test
  void leavesARelativeLocationRelative() {
    assertThat(ada.post("/things", key, body).header("Location")).isEqualTo("/things/1");
    assertThat(ada.post("/things", key, body).header("Location")).isEqualTo("/things/1");
  }

  @Test
  void keepsAllValuesOfAHeader() {
    ada.post("/things", key, body);
    assertThat(ada.post("/things", key, body).headers().get("X-Two"))
        .containsExactly("first", "second");
  }

  @ParameterizedTest
  @CsvSource({
    "/things, application/json",
    "/things/text, text/plain;charset=UTF-8",
    "/things/page, text/html;charset=UTF-8",
    "/things/bytes, application/octet-stream"
  })
  void saysOfWhatTypeTheBodyIs(String path, String type) {
    assertThat(ada.post(path, key, body).header("Content-Type")).isEqualTo(type);
  }

  @Test
  void takesTheQuotedAndTheBareFormForOneKey() {
    Answer first = ada.post("/things", key, body);
    Answer second = ada.post("/things", "\"" + key + "\"", body);
    assertThat(second.isReplay()).isTrue();
    assertThat(second.bytes()).isEqualTo(first.bytes());
  }

  @Test
  void keepsTheKeysOfUsersApart() {
    Answer adas = ada.post("/things", key, body);
    Caller bob = new Caller(server, "bob");
    Answer bobs = bob.post("/things", key, body);
    assertThat(bobs.status()).isEqualTo(201);
    assertThat(bobs.isReplay()).isFalse();
    assertThat(bobs.bytes()).isNotEqualTo(adas.bytes());
    assertThat(bob.post("/things", key, body).bytes()).isEqualTo(bobs.bytes());
    assertThat(ada.post("/things", key, body).bytes()).isEqualTo(adas.bytes());
    assertThat(things()).isEqualTo(2);
  }
}
