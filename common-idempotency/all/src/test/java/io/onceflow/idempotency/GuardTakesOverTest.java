package io.onceflow.idempotency;

import static io.onceflow.idempotency.GuardRefusesTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.idempotency.internal.execution.RequestOutcome;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.StoredResponse;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule 4, over HTTP: who owns a lease, who takes it over, and what becomes of its old owner. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
class GuardTakesOverTest extends GuardedThings {

  private static final String LEASE_ENDS =
      "SELECT lease_expires_at FROM idempotency_record WHERE key = ?";

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @Test
  void anEqualRequestTakesOverFromADeadOwner() {
    ada.post("/leased", key, body);
    dieInTheMidst();
    long before = counts.of("LeasedThings.make", RequestOutcome.TAKEN_OVER);
    Answer next = ada.post("/leased", key, body);
    assertThat(next.status()).isEqualTo(201);
    assertThat(next.isReplay()).isFalse();
    assertThat(next.text()).contains("\"isTakenOver\":true");
    assertThat(counts.of("LeasedThings.make", RequestOutcome.TAKEN_OVER)).isEqualTo(before + 1);
    assertThat(ada.post("/leased", key, body).bytes()).isEqualTo(next.bytes());
  }

  @Test
  void anotherRequestNeverDoes() throws Exception {
    ada.post("/leased", key, body);
    dieInTheMidst();
    Answer other = ada.post("/leased", key, body.replace("}", ",\"price\":1}"));
    assertProblem(other, 422, "idempotency-key-reused", "/leased");
    assertThat(runs.of(name)).isEqualTo(1);
    assertThat(ada.post("/leased", key, body).status()).isEqualTo(201);
  }

  /** The lease is of one second, and the method outlasts it twice over. */
  @Test
  void signsOfLifeKeepALongHandlersClaim() throws Exception {
    Future<Answer> first = begin(threads, "/leased", body);
    for (int i = 0; i < 6; i++) {
      String before = ORDERS.text(LEASE_ENDS, key);
      await().until(() -> !String.valueOf(ORDERS.text(LEASE_ENDS, key)).equals(before));
      assertThat(ada.post("/leased", key, body).status()).isEqualTo(409);
    }
    assertThat(
            ORDERS.text(
                "SELECT now() - created_at > interval '1 s' FROM idempotency_record WHERE key = ?",
                key))
        .isEqualTo("true");
    runs.open(name);
    assertThat(first.get().status()).isEqualTo(201);
    assertKeptOnce();
    assertThat(runs.of(name)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/leased", "/leased/despite-a-lost-lease"})
  void anOwnerThatIsFencedOffKeepsNothing(String path) throws Exception {
    String operation =
        path.equals("/leased") ? "LeasedThings.make" : "LeasedThings.swallowALostLease";
    long before = counts.of(operation, RequestOutcome.FENCED_OFF);
    Future<Answer> late = begin(threads, path, body);
    try (Rival rival = new Rival(ORDERS)) {
      Ownership successor = rival.takeOver(key);
      runs.open(name);
      assertProblem(late.get(), 503, "lease-lost", path);
      assertThat(late.get().header("Retry-After")).isEqualTo("1");
      assertThat(things()).isZero();
      assertThat(messages()).isZero();
      assertThat(counts.of(operation, RequestOutcome.FENCED_OFF)).isEqualTo(before + 1);
      assertThat(ada.post(path, key, body).status()).as("the successor runs").isEqualTo(409);
      rival.complete(successor, new StoredResponse(200, Map.of(), "won".getBytes()));
    }
    assertThat(ada.post(path, key, body).text()).isEqualTo("won");
  }

  /** The steps before stay: they were written while the lease was its own. */
  @Test
  void anOwnerThatIsFencedOffWritesNoFurtherStep() throws Exception {
    Future<Answer> late = begin(threads, "/leased/in-steps", body);
    try (Rival rival = new Rival(ORDERS)) {
      rival.takeOver(key);
      runs.open(name);
      assertProblem(late.get(), 503, "lease-lost", "/leased/in-steps");
      assertThat(things()).isEqualTo(1);
    }
  }

  @Test
  void anOwnerLearnsOfItsLossWhileItWorks() throws Exception {
    Future<Answer> late = threads.submit(() -> ada.post("/leased/until-lost", key, body));
    await().until(() -> runs.of(name) == 1);
    try (Rival rival = new Rival(ORDERS)) {
      rival.takeOver(key);
      assertProblem(late.get(), 503, "lease-lost", "/leased/until-lost");
    }
  }

  /** As when the record was deleted by hand, or the database restored from a backup. */
  @Test
  void anOwnerWhoseRecordIsGoneKeepsNothing() throws Exception {
    Future<Answer> late = begin(threads, "/leased", body);
    ORDERS.update("DELETE FROM idempotency_record WHERE key = ?", key);
    runs.open(name);
    assertProblem(late.get(), 503, "lease-lost", "/leased");
    assertNothingKept();
  }
}
