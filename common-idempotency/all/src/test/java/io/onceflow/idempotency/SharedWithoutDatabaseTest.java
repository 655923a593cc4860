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
import io.quarkus.test.junit.TestProfile;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The database goes away before the look, and between the look and the commit. */
@QuarkusTest
@TestProfile(GuardWithoutDatabaseTest.Named.class)
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
@Tag("nightly")
class SharedWithoutDatabaseTest extends GuardedThings {

  private static final String NAME = "GuardWithoutDatabaseTest";
  private static final String OPERATION = "SharedThings.make";

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @Override
  @BeforeEach
  void adaCalls() {
    ada = SharedThings.caller(server);
  }

  @Test
  void aHerdIsToldThatNothingWasDoneAndWhenToComeAgain() throws Exception {
    DatabaseOutage outage = new DatabaseOutage(ORDERS, NAME);
    try (outage) {
      Answer answer = ada.post("/things", key, body);
      assertProblem(answer, 503, "store-unavailable");
      assertThat(answer.header("Retry-After")).isEqualTo("1");
      assertThat(answer.text()).contains(key);
      assertThat(atOnce(30)).extracting(Answer::status).containsOnly(503);
    }
    assertThat(runs.of(name)).isZero();
    awaitMade();
    assertKeptOnce();
  }

  @Test
  void soIsOneThatHasDecidedAlready() throws Exception {
    long before = counts.of(OPERATION, RequestOutcome.UNAVAILABLE);
    Future<Answer> first = begin(threads, body);
    DatabaseOutage outage = new DatabaseOutage(ORDERS, NAME);
    try (outage) {
      runs.open(name);
      assertProblem(first.get(), 503, "store-unavailable");
    }
    assertThat(counts.of(OPERATION, RequestOutcome.UNAVAILABLE)).isEqualTo(before + 1);
    assertNothingKept();
    awaitMade();
    assertKeptOnce();
  }

  /** Connections that broke are noticed when they are next used. */
  private void awaitMade() {
    await().until(() -> ada.post("/things", key, body).status() == 201);
  }
}
