package io.onceflow.idempotency;

import static io.onceflow.idempotency.GuardRefusesTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.idempotency.internal.execution.Leases;
import io.onceflow.idempotency.internal.execution.RequestOutcome;
import io.onceflow.idempotency.internal.request.WaiterLimit;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Long operations: 202 now, the outcome later, under the same key. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
class GuardGoesOnTest extends GuardedThings {

  private static final String LEASE_ENDS =
      "SELECT lease_expires_at FROM idempotency_record WHERE key = ?";

  /** As many as go on at once by default. */
  private static final int ROOM = 16;

  /** Of these for one caller. */
  private static final int ROOM_OF_ONE = 4;

  @Inject Leases leases;
  @Inject WaiterLimit waiters;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @Test
  void itIsAcceptedItsRepeatsTooAndInTheEndTheyGetItsAnswer() {
    runs.close(name);
    Answer accepted = ada.post("/background", key, body);
    assertAccepted(accepted);
    assertAccepted(ada.post("/background", key, body));
    assertThat(things()).isZero();
    runs.open(name);
    await().until(() -> ada.post("/background", key, body).status() == 201);
    Answer last = ada.post("/background", key, body);
    assertThat(last.isReplay()).isTrue();
    assertThat(last.bytes()).isEqualTo(ada.post("/background", key, body).bytes());
    assertThat(runs.of(name)).isEqualTo(1);
    assertKeptOnce();
  }

  /** The method has a lease of one second. */
  @Test
  void itsLeaseIsRenewedWhileItGoesOn() {
    runs.close(name);
    ada.post("/background", key, body);
    for (int i = 0; i < 6; i++) {
      String before = ORDERS.text(LEASE_ENDS, key);
      await().until(() -> !String.valueOf(ORDERS.text(LEASE_ENDS, key)).equals(before));
    }
    runs.open(name);
    await().until(() -> things() == 1);
    await().until(() -> !leases.isRenewing(key));
    assertKeptOnce();
  }

  @Test
  void aRepeatThatPrefersToWaitGetsTheAnswerItself() throws Exception {
    runs.close(name);
    ada.post("/background", key, body);
    Future<Answer> repeat = threads.submit(() -> ada.post("/background", key, body, "wait=20"));
    await().until(() -> waiters.waiting() == 1);
    runs.open(name);
    assertThat(repeat.get().status()).isEqualTo(201);
    assertThat(repeat.get().isReplay()).isTrue();
  }

  /** Accepting is the method's way of not letting its callers wait. */
  @Test
  void aRepeatIsAcceptedAtOnceThoughRepeatsWait() {
    runs.close(name);
    ada.post("/background/waited", key, body);
    long began = System.nanoTime();
    assertAccepted(ada.post("/background/waited", key, body));
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
    runs.open(name);
    await().until(() -> ada.post("/background/waited", key, body).status() == 201);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/background/failing",
        "/background/broken",
        "/background/failing-badly",
        "/background/leaving-a-transaction-open",
        "/background/endless"
      })
  void whatFailsWithoutAResolverFreesTheKey(String path) {
    assertThat(ada.post(path, key, body).status()).isEqualTo(202);
    await().until(() -> records() == 0);
    assertNothingKept();
    assertThat(ada.post("/leased", key, body).status()).isEqualTo(201);
  }

  @Test
  void whatFailsWithAResolverIsLeftToTheSweep() {
    long before = counts.of(BackgroundThings.RESOLVED, RequestOutcome.FAILED);
    assertThat(ada.post("/background/resolved", key, body).status()).isEqualTo(202);
    await().until(() -> counts.of(BackgroundThings.RESOLVED, RequestOutcome.FAILED) == before + 1);
    await().until(() -> !leases.isRenewing(key));
    assertThat(records()).isEqualTo(1);
    assertAccepted(ada.post("/background/resolved", key, body));
  }

  /** The caller was promised an outcome, and this is one. */
  @Test
  void aRefusalIsKeptWithoutWhatWasWrittenBesideIt() {
    ada.post("/background/refused", key, body);
    await().until(() -> ada.post("/background/refused", key, body).status() == 404);
    assertThat(ada.post("/background/refused", key, body).isReplay()).isTrue();
    assertThat(things()).isZero();
  }

  @Test
  void whatIsCompletedStandsThoughTheWorkFailsAfterwards() {
    long before = counts.of("BackgroundThings.failAfterItsEnd", RequestOutcome.EXECUTED);
    ada.post("/background/after-its-end", key, body);
    await()
        .until(
            () ->
                counts.of("BackgroundThings.failAfterItsEnd", RequestOutcome.EXECUTED)
                    == before + 1);
    assertThat(ada.post("/background/after-its-end", key, body).status()).isEqualTo(201);
    assertKeptOnce();
  }

  @Test
  void aMethodThatAnswersOtherwiseBeginsNothing() {
    assertThat(ada.post("/background/answering-otherwise", key, body).status()).isEqualTo(400);
    assertThat(runs.of(name)).isZero();
    assertThat(records()).isZero();
  }

  @Test
  void anOwnerThatIsFencedOffKeepsNothing() {
    runs.close(name);
    ada.post("/background", key, body);
    await().until(() -> runs.of(name) == 1);
    long before = counts.of("BackgroundThings.make", RequestOutcome.FENCED_OFF);
    try (Rival rival = new Rival(ORDERS)) {
      Ownership successor = rival.takeOver(key);
      runs.open(name);
      await()
          .until(() -> counts.of("BackgroundThings.make", RequestOutcome.FENCED_OFF) == before + 1);
      assertThat(things()).isZero();
      rival.release(successor);
    }
  }

  @Test
  void whatFindsNoRoomIsToldSoAndDoesNothing() throws Exception {
    runs.close(name);
    List<Answer> busy =
        IntStream.range(0, ROOM)
            .mapToObj(i -> caller(i).post("/background", key + "-" + i, body))
            .toList();
    assertThat(busy).extracting(Answer::status).containsOnly(202);
    Answer answer = ada.post("/background", key, body);
    assertProblem(answer, 503, "too-busy", "/background");
    assertThat(answer.header("Retry-After")).isEqualTo("1");
    assertThat(records()).isZero();
    runs.open(name);
    await().until(() -> things() == ROOM);
    await().until(() -> ada.post("/background", key, body).status() == 202);
  }

  @Test
  void oneCallersWorkLeavesRoomForOthers() throws Exception {
    runs.close(name);
    for (int i = 0; i < ROOM_OF_ONE; i++) {
      assertThat(ada.post("/background", key + "-" + i, body).status()).isEqualTo(202);
    }
    Answer over = ada.post("/background", key, body);
    assertProblem(over, 429, "quota-exceeded", "/background");
    assertThat(records()).isZero();
    assertAccepted(caller(1).post("/background", key, body));
    runs.open(name);
    await().until(() -> things() == ROOM_OF_ONE + 1);
    await().until(() -> ada.post("/background", key, body).status() == 202);
  }

  private Caller caller(int i) {
    return new Caller(server, "caller-" + i / ROOM_OF_ONE);
  }

  /** Its method may have stored what it was asked for, and the sweep can go on from there. */
  @Test
  void whatFindsNoRoomButHasAResolverIsPromisedAndLeftToTheSweep() {
    runs.close(name);
    for (int i = 0; i < ROOM; i++) {
      assertThat(caller(i).post("/background", key + "-" + i, body).status()).isEqualTo(202);
    }
    assertAccepted(ada.post("/background/resolved", key, body));
    assertThat(leases.isRenewing(key)).isFalse();
    assertThat(
            ORDERS.number(
                """
                SELECT count(*) FROM idempotency_record
                WHERE  key = ? AND status = 'STARTED' AND accepted_at IS NOT NULL
                """,
                key))
        .isEqualTo(1);
    runs.open(name);
    await().until(() -> things() == ROOM);
  }

  /** Found by reading: the heartbeat went on for ever, and with it the claim. */
  @Test
  void whatCannotBeAcceptedLetsItsClaimGo() {
    ORDERS.update("ALTER TABLE idempotency_record RENAME COLUMN accepted_at TO accepted_at_away");
    try {
      // The claim itself does not look at that column where there is no row yet.
      assertThat(ada.post("/background", key, body).status()).isEqualTo(500);
    } finally {
      ORDERS.update("ALTER TABLE idempotency_record RENAME COLUMN accepted_at_away TO accepted_at");
    }
    assertThat(leases.isRenewing(key)).isFalse();
    assertThat(runs.of(name)).isZero();
    assertThat(records()).isZero();
    assertThat(ada.post("/background", key, body).status()).isEqualTo(202);
  }

  private void assertAccepted(Answer answer) {
    assertThat(answer.status()).isEqualTo(202);
    assertThat(answer.header("Location")).isEqualTo("/idempotency-keys/" + key);
    assertThat(answer.header("Retry-After")).isEqualTo("1");
    assertThat(answer.header("Content-Type")).isEqualTo("application/json");
    assertThat(answer.text())
        .isEqualTo("{\"key\":\"%s\",\"status\":\"IN_PROGRESS\"}".formatted(key));
  }
}
