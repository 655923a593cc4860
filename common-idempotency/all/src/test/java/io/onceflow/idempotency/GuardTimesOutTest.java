package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A transaction that takes too long is rolled back behind the method's back. */
@QuarkusTest
@TestProfile(GuardTimesOutTest.Soon.class)
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
class GuardTimesOutTest extends GuardedThings {

  private static final String OPEN_TRANSACTIONS =
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE  datname = current_database() AND state LIKE 'idle in transaction%'
      """;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** Long enough for a claim. */
  public static final class Soon implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of("quarkus.transaction-manager.default-transaction-timeout", "1s");
    }
  }

  /** The one writes before its time is over, the other after. */
  @ParameterizedTest
  @ValueSource(strings = {"/things", "/waited"})
  void nothingOfItIsKeptAndTheThreadIsFree(String path) throws Exception {
    Future<Answer> first = begin(threads, path, body);
    await().until(() -> ORDERS.number(OPEN_TRANSACTIONS) == 0);
    runs.open(name);
    assertThat(first.get().status()).isEqualTo(500);
    assertThat(first.get().text()).containsAnyOf("than its timeout", "has rolled back");
    assertNothingKept();
    List<Answer> next = atOnce(20, () -> ada.post(path, key, body));
    assertThat(next).extracting(Answer::status).isSubsetOf(201, 409);
    assertThat(ada.post(path, key, body).status()).isEqualTo(201);
    assertKeptOnce();
  }
}
