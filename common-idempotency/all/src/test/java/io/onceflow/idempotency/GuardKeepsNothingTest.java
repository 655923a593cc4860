package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Rule 1: claim, business rows, outbox rows and stored answer commit together or not at all. Seen
 * red when the claim was committed by itself, on a connection outside of the transaction.
 */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class GuardKeepsNothingTest extends GuardedThings {

  @ParameterizedTest
  @CsvSource({
    "/things/failing, 500",
    "/things/broken, 503",
    "/things/refused, 409",
    "/things/refused-by-exception, 400",
    "/things/doomed-at-commit, 500",
    "/things/connection-lost, 503",
    "/things/connection-lost-to-the-method, 503"
  })
  void ofARequestThatDidNotSucceed(String path, int status) {
    Answer answer = ada.post(path, key, body);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(runs.of(name)).isEqualTo(1);
    assertNothingKept();
  }

  @ParameterizedTest
  @CsvSource({
    "/things/failing, 500",
    "/things/broken, 503",
    "/things/refused, 409",
    "/things/refused-by-exception, 400",
    "/things/doomed-at-commit, 500",
    "/things/connection-lost, 503",
    "/things/connection-lost-to-the-method, 503"
  })
  void soThatTheSameRequestRunsAgain(String path, int status) {
    ada.post(path, key, body);
    Answer again = ada.post(path, key, body);
    assertThat(again.status()).isEqualTo(status);
    assertThat(again.isReplay()).isFalse();
    assertThat(runs.of(name)).isEqualTo(2);
  }

  @Test
  void soThatTheKeyIsFreeForAnotherRequest() {
    ada.post("/things/failing", key, body);
    assertThat(ada.post("/things", key, body).status()).isEqualTo(201);
    assertKeptOnce();
  }

  @Test
  void andPassesARefusalOnAsItIs() {
    Answer answer = ada.post("/things/refused", key, body);
    assertThat(answer.text()).isEqualTo("{\"reason\":\"no such thing\"}");
    assertThat(answer.header("Content-Type")).isEqualTo("application/json");
  }

  @Test
  void andSaysOfAFailedCommitWhichKeyItWas() {
    assertThat(ada.post("/things/doomed-at-commit", key, body).text())
        .contains("IdempotencyUnusable", key);
  }
}
