package io.onceflow.idempotency;

import static io.onceflow.idempotency.GuardRefusesTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.idempotency.internal.execution.RequestOutcome;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where refusals are kept they are replayed like a success, without what was written beside. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
class GuardKeepsRefusalsTest extends GuardedThings {

  @ParameterizedTest
  @CsvSource({
    "/refusing/returned, 404",
    "/refusing/thrown, 400",
    "/refusing/thrown-with-an-answer, 409",
    "/refusing/mapped, 410",
    "/refusing/mapped-here, 409",
    "/refusing/any?surplus=yes, 400",
    "/refusing/leased/returned, 404",
    "/refusing/leased/thrown, 400",
    "/refusing/leased/thrown-with-an-answer, 409",
    "/refusing/leased/mapped, 410",
    "/refusing/leased/mapped-here, 409",
    "/refusing/leased/any?surplus=yes, 400",
  })
  void howeverItIsSaid(String path, int status) {
    Answer first = ada.post(path, key, body);
    int ran = runs.of(name);
    Answer second = ada.post(path, key, body);
    assertThat(first.status()).isEqualTo(status);
    assertThat(first.isReplay()).isFalse();
    assertThat(second.isReplay()).isTrue();
    assertThat(second.status()).isEqualTo(status);
    assertThat(second.bytes()).isEqualTo(first.bytes());
    assertThat(second.header("X-Sold")).isEqualTo(first.header("X-Sold"));
    assertThat(runs.of(name)).isEqualTo(ran);
    assertThat(things()).isZero();
    assertThat(messages()).isZero();
    assertThat(records()).isEqualTo(1);
  }

  @Test
  void asTheMapperSaidIt() {
    assertThat(ada.post("/refusing/mapped-here", key, body).text()).isEqualTo("{\"left\":0}");
    assertThat(ada.post("/refusing/mapped-here", key, body).header("X-Sold")).isEqualTo("out");
  }

  @Test
  void soThatTheKeyIsUsed() throws Exception {
    ada.post("/refusing/returned", key, body);
    Answer other = ada.post("/refusing/returned", key, body.replace("}", ",\"price\":1}"));
    assertProblem(other, 422, "idempotency-key-reused", "/refusing");
  }

  @Test
  void andCountsThemAsExecuted() {
    long before = counts.of("RefusingThings.refuse", RequestOutcome.EXECUTED);
    ada.post("/refusing/mapped", key, body);
    assertThat(counts.of("RefusingThings.refuse", RequestOutcome.EXECUTED)).isEqualTo(before + 1);
  }

  /**
   * A refusal by another service is a failure of this one; an exception of the guard is no refusal.
   */
  @ParameterizedTest
  @CsvSource({
    "/refusing/by-another, 500",
    "/refusing/failing, 500",
    "/refusing/unavailable, 503",
    "/refusing/unusable, 423",
    "/refusing/leased/by-another, 500",
    "/refusing/leased/failing, 500",
    "/refusing/leased/unavailable, 503",
    "/refusing/leased/unusable, 423",
  })
  void butNoFailures(String path, int status) {
    assertThat(ada.post(path, key, body).status()).isEqualTo(status);
    assertNothingKept();
    Answer again = ada.post(path, key, body);
    assertThat(again.isReplay()).isFalse();
    assertThat(runs.of(name)).isEqualTo(2);
  }
}
