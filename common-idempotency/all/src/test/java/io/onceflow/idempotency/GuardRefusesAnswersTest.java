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
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be told again must have had no effect: refused before anything is committed. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
class GuardRefusesAnswersTest extends GuardedThings {

  @ParameterizedTest
  @CsvSource({
    "too-long, max-response-size",
    "output, is a stream",
    "input, is a stream",
    "reader, is a stream",
    "stream, is a stream",
    "multi, is a stream",
    "uni, is a stream",
    "xml, as JSON only",
    "no-bean, cannot be written as JSON"
  })
  void thatCannotBeKept(String how, String why) throws Exception {
    for (String path : new String[] {"/unkeepable/" + how, "/unkeepable/leased/" + how}) {
      Answer answer = ada.post(path, key, body);
      assertProblem(answer, 500, "response-not-keepable", path);
      assertThat(answer.text()).as("while it is developed, the developer sees why").contains(why);
      assertNothingKept();
    }
    assertThat(runs.of(name)).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/unkeepable/", "/unkeepable/leased/"})
  void butNotTheLongestThatIsAllowed(String path) {
    Answer first = ada.post(path + "just-not-too-long", key, body);
    assertThat(first.status()).isEqualTo(200);
    assertThat(ada.post(path + "just-not-too-long", key, body).bytes()).isEqualTo(first.bytes());
    assertKeptOnce();
  }

  @Test
  void andCountsTheirRequestsAsReleased() {
    long before = counts.of("UnkeepableThings.make", RequestOutcome.RELEASED);
    ada.post("/unkeepable/too-long", key, body);
    assertThat(counts.of("UnkeepableThings.make", RequestOutcome.RELEASED)).isEqualTo(before + 1);
  }
}
