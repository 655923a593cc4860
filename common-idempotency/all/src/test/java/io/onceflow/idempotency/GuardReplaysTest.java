package io.onceflow.idempotency;

import static io.onceflow.idempotency.GuardRefusesTest.assertProblem;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.idempotency.internal.request.RequestFingerprint;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.ws.rs.core.MediaType;
import java.net.URI;
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

  /** A release that reads more strictly stores nothing of the kind itself. */
  @Test
  void answersARepeatThatTodayCannotEvenBeRead() throws Exception {
    String unreadable = "{\"name\":[\"%s\"],\"price\":\"much\"}".formatted(name);
    assertThat(ada.post("/things", key + "2", unreadable).status()).isEqualTo(400);
    Answer first = ada.post("/things", key, body);
    answeredYesterday("/things", unreadable);

    Answer again = ada.post("/things", key, unreadable);

    assertThat(again.status()).isEqualTo(201);
    assertThat(again.isReplay()).isTrue();
    assertThat(again.bytes()).isEqualTo(first.bytes());
    assertThat(again.header("Content-Type")).isEqualTo(first.header("Content-Type"));
    assertThat(again.header("Location")).isEqualTo("/things/1");
    assertProblem(
        ada.post("/things", key, unreadable.replace("much", "more")),
        422,
        "idempotency-key-reused");
    assertKeptOnce();
  }

  private void answeredYesterday(String path, String withBody) {
    Fingerprint fingerprint =
        RequestFingerprint.of(
            "POST",
            URI.create(ada.paths().apply(path)),
            withBody.getBytes(UTF_8),
            MediaType.APPLICATION_JSON_TYPE);
    assertThat(
            ORDERS.update(
                "UPDATE idempotency_record SET fingerprint = ? WHERE key = ?",
                fingerprint.bytes(),
                key))
        .isEqualTo(1);
  }
}
