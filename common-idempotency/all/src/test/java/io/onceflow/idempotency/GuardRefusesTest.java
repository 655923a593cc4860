package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** DESIGN §3: no key, a malformed one, and a key that was used for something else. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class GuardRefusesTest extends GuardedThings {

  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void aRequestWithoutAKey() throws Exception {
    Answer answer = ada.send(ada.request("/things", body));
    assertProblem(answer, 400, "idempotency-key-missing");
    assertThat(answer.text()).contains("POST /things", "nothing was done", "a fresh UUID");
    assertNothingKept();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\"\"", "a, b", "\"open", "\"a\", \"b\"", "\"a\";Q=1"})
  void aMalformedKey(String malformed) throws Exception {
    Answer answer = ada.post("/things", malformed, body);
    assertProblem(answer, 400, "idempotency-key-malformed");
    assertNothingKept();
  }

  @ParameterizedTest
  @ValueSource(strings = {"schl\u00fcssel", "\"\u00e9\"", "a\u007fb"})
  void aKeyOfCharactersThatAreNotPrintableAscii(String malformed) throws Exception {
    assertThat(ada.statusFor("/things", malformed, body)).isEqualTo(400);
    assertNothingKept();
  }

  @Test
  void aKeyOfThreeHundredCharacters() throws Exception {
    Answer answer = ada.post("/things", "k".repeat(300), body);
    assertProblem(answer, 400, "idempotency-key-malformed");
    assertThat(answer.text()).contains("300 characters");
    assertNothingKept();
  }

  @Test
  void twoKeys() throws Exception {
    Answer answer =
        ada.send(
            ada.request("/things", body)
                .header("Idempotency-Key", key)
                .header("Idempotency-Key", key));
    assertProblem(answer, 400, "idempotency-key-malformed");
    assertThat(answer.text()).contains("2 times");
    assertNothingKept();
  }

  /** A look into the table would wait for the lock until the client's patience ends. */
  @Test
  void aMalformedKeyBeforeItLooksAnythingUp() throws Exception {
    try (Connection locker = ORDERS.begin();
        Statement lock = locker.createStatement()) {
      lock.execute("LOCK TABLE idempotency_record IN ACCESS EXCLUSIVE MODE");
      assertThat(ada.post("/things", "\"a", body).status()).isEqualTo(400);
      assertThat(ada.send(ada.request("/things", body)).status()).isEqualTo(400);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"name\":", "{\"name\":\"a\",\"name\":\"b\"}", "nonsense", "{} {}"})
  void aBodyThatIsNotWellFormed(String malformed) throws Exception {
    Answer answer = ada.post("/things", key, malformed);
    assertProblem(answer, 400, "malformed-body");
    assertThat(answer.text()).doesNotContain("\\n");
    assertNothingKept();
  }

  @Test
  void aKeyThatWasUsedForAnotherBody() throws Exception {
    ada.post("/things", key, body);
    Answer other = ada.post("/things", key, body.replace("}", ",\"price\":1}"));
    assertProblem(other, 422, "idempotency-key-reused");
    assertKeptOnce();
  }

  @Test
  void aKeyThatWasUsedForAnotherPath() throws Exception {
    ada.post("/things", key, body);
    assertProblem(ada.post("/things/text", key, body), 422, "idempotency-key-reused");
    assertKeptOnce();
  }

  @Test
  void aKeyThatWasUsedForAnotherPathOfTheSameMethod() throws Exception {
    ada.post("/things/a/by-uri", key, body);
    assertProblem(ada.post("/things/b/by-uri", key, body), 422, "idempotency-key-reused");
    assertKeptOnce();
  }

  @Test
  void aKeyThatWasUsedForAnotherQuery() throws Exception {
    ada.post("/things", key, body);
    assertProblem(ada.post("/things?dry-run=true", key, body), 422, "idempotency-key-reused");
    assertKeptOnce();
  }

  @Test
  void aKeyThatWasUsedForAnotherMethod() throws Exception {
    ada.post("/things", key, body);
    Answer put =
        ada.send(
            ada.request("/things", body)
                .PUT(BodyPublishers.ofString(body))
                .header("Idempotency-Key", key));
    assertProblem(put, 422, "idempotency-key-reused");
    assertKeptOnce();
  }

  @Test
  void andTheFirstAnswerStandsAfterThat() {
    Answer first = ada.post("/things", key, body);
    ada.post("/things", key, body.replace("}", ",\"price\":1}"));
    assertThat(ada.post("/things", key, body).bytes()).isEqualTo(first.bytes());
  }

  static void assertProblem(Answer answer, int status, String type) throws Exception {
    assertProblem(answer, status, type, "/things");
  }

  static void assertProblem(Answer answer, int status, String type, String path) throws Exception {
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(answer.header("Link"))
        .isEqualTo("</problems/%s>; rel=\"describedby\"".formatted(type));
    JsonNode problem = JSON.readTree(answer.bytes());
    assertThat(problem.get("type").textValue()).isEqualTo("/problems/" + type);
    assertThat(problem.get("title").textValue()).isNotBlank();
    assertThat(problem.get("status").intValue()).isEqualTo(status);
    assertThat(problem.get("detail").textValue()).isNotBlank();
    assertThat(problem.get("instance").textValue()).startsWith(path);
    assertThat(answer.isReplay()).isFalse();
  }
}
