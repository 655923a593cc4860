package io.onceflow.idempotency;

import static io.onceflow.idempotency.GuardRefusesTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.idempotency.internal.execution.RequestOutcome;
import io.onceflow.idempotency.testing.DatabaseOutage;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The database goes away, in earnest. Who is told 503 knows that nothing was done, and when to come
 * again. Seen red as a bare 500.
 */
@QuarkusTest
@TestProfile(GuardWithoutDatabaseTest.Named.class)
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
@Tag("nightly")
class GuardWithoutDatabaseTest extends GuardedThings {

  private static final String NAME = "GuardWithoutDatabaseTest";

  /** Its connections can be told from the test's, and are not waited for long. */
  public static final class Named implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "quarkus.datasource.jdbc.additional-jdbc-properties.ApplicationName",
          NAME,
          "quarkus.datasource.jdbc.acquisition-timeout",
          "1s");
    }
  }

  @ParameterizedTest
  @CsvSource({"/things, ThingsResource.make", "/leased, LeasedThings.make"})
  void saysThatNothingWasDoneAndWhenToComeAgain(String path, String operation) throws Exception {
    long before = counts.of(operation, RequestOutcome.UNAVAILABLE);
    DatabaseOutage outage = new DatabaseOutage(ORDERS, NAME);
    try (outage) {
      Answer answer = ada.post(path, key, body);
      assertProblem(answer, 503, "store-unavailable", path);
      assertThat(answer.header("Retry-After")).isEqualTo("1");
      assertThat(answer.text()).contains(key, "\"retryAfterSeconds\":1");
    }
    assertThat(runs.of(name)).isZero();
    assertThat(counts.of(operation, RequestOutcome.UNAVAILABLE)).isEqualTo(before + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/things", "/leased"})
  void andTheSameRequestRunsOnceItIsBack(String path) {
    DatabaseOutage outage = new DatabaseOutage(ORDERS, NAME);
    try (outage) {
      assertThat(ada.post(path, key, body).status()).isEqualTo(503);
    }
    awaitMade(path);
    assertKeptOnce();
    assertThat(runs.of(name)).isEqualTo(1);
  }

  /** Those that came meanwhile get what the first of them found, which is nothing. */
  @Test
  void tellsAHerdTheSame() throws Exception {
    DatabaseOutage outage = new DatabaseOutage(ORDERS, NAME);
    try (outage) {
      assertThat(atOnce(30)).extracting(Answer::status).containsOnly(503);
    }
    awaitMade("/things");
    assertThat(runs.of(name)).isEqualTo(1);
  }

  @Test
  void saysSoToWhoAsksWhatBecameOfAKey() throws Exception {
    DatabaseOutage outage = new DatabaseOutage(ORDERS, NAME);
    try (outage) {
      Answer answer = ada.send(ada.request("/idempotency-keys/" + key, "").GET());
      assertProblem(answer, 503, "store-unavailable", "/idempotency-keys");
    }
    awaitMade("/things");
  }

  /** Connections that broke are noticed when they are next used. */
  private void awaitMade(String path) {
    await().until(() -> ada.post(path, key, body).status() == 201);
  }
}
