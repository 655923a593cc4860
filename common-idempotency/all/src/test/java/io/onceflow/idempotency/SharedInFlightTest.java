package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.enterprise.inject.Typed;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Repeats are told while the first one decides; what is otherwise is that no transaction is open
 * meanwhile.
 */
@QuarkusTest
@Typed(SharedInFlightTest.class) // not one of the class that it extends as well
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class SharedInFlightTest extends GuardInFlightTest {

  private static final String OPEN_TRANSACTIONS =
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE  datname = current_database() AND state LIKE 'idle in transaction%'
      """;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @Override
  @BeforeEach
  void adaCalls() {
    ada = SharedThings.caller(server);
  }

  /** No connection at all is held while the method decides. */
  @Test
  @Override
  void tellsThirtyRepeatsWithoutWaitingAndWithoutHoldingConnections() throws Exception {
    Future<Answer> first = begin(threads, body);
    assertThat(atOnce(30)).extracting(Answer::status).containsOnly(409);
    assertThat(ORDERS.number(OPEN_TRANSACTIONS)).isZero();
    runs.open(name);
    assertThat(first.get().status()).isEqualTo(201);
  }

  /** No request has the key before one of them commits; the first to commit has it. */
  @Test
  @Override
  void tellsEvenAnotherRequestUnderThatKeyOnlyToComeAgain() throws Exception {
    Future<Answer> first = begin(threads, body);
    String other = body.replace("}", ",\"price\":1}");
    Future<Answer> second = threads.submit(() -> ada.post("/things", key, other));
    await().until(() -> runs.of(name) == 2);
    runs.open(name);
    assertThat(List.of(first.get().status(), second.get().status()))
        .containsExactlyInAnyOrder(201, 422);
    assertKeptOnce();
  }
}
