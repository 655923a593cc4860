package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.AbandonedClaimResolver.Resolution;
import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.idempotency.internal.execution.Leases;
import io.onceflow.idempotency.internal.execution.RequestOutcome;
import io.onceflow.idempotency.internal.recovery.AbandonedClaims;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The recovery sweep: what becomes of claims whose owners died. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
class GuardRecoversTest extends GuardedThings {

  private static final String LEASE_ENDS =
      "SELECT lease_expires_at FROM idempotency_record WHERE key = ?";

  private static final String STORED = "/background/resolved?stored=true";

  @Inject AbandonedClaims abandoned;
  @Inject Verdicts verdicts;
  @Inject Leases leases;
  @Inject Things business;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @Test
  void withoutAResolverTheKeyIsFreed() {
    long before = counts.of("LeasedThings.make", RequestOutcome.ABANDONED);
    ada.post("/leased", key, body);
    dieInTheMidst();
    abandoned.sweep();
    assertThat(records()).isZero();
    assertThat(counts.of("LeasedThings.make", RequestOutcome.ABANDONED)).isEqualTo(before + 1);
    assertThat(ada.post("/leased", key, body).isReplay()).isFalse();
  }

  @Test
  void whatLivesOrEndedJustNowIsLeftAlone() {
    ada.post("/leased", key, body);
    dieInTheMidst();
    ORDERS.update(
        "UPDATE idempotency_record SET lease_expires_at = now() - interval '1 s' WHERE key = ?",
        key);
    abandoned.sweep();
    assertThat(records()).isEqualTo(1);
    assertThat(ada.post("/leased", key, body).status()).as("its own repeat").isEqualTo(201);
  }

  @Test
  void operationsThatThisApplicationDoesNotKnowAreLeftToThoseThatDo() {
    ada.post("/leased", key, body);
    dieInTheMidst();
    ORDERS.update("UPDATE idempotency_record SET operation = 'another''s' WHERE key = ?", key);
    abandoned.sweep();
    assertThat(records()).isEqualTo(1);
    ORDERS.update("DELETE FROM idempotency_record WHERE key = ?", key);
  }

  @Test
  void whatWasDoneIsCompletedWithWhatIsMissing() {
    long before = counts.of(BackgroundThings.RESOLVED, RequestOutcome.RECOVERED);
    die(claim -> complete(201));
    abandoned.sweep();
    Answer answer = ada.post("/background/resolved", key, body);
    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.isReplay()).isTrue();
    assertKeptOnce();
    assertThat(counts.of(BackgroundThings.RESOLVED, RequestOutcome.RECOVERED))
        .isEqualTo(before + 1);
  }

  /** Found by reading: it was told to be completed, and was neither kept nor released. */
  @Test
  void thatItWasRefusedIsAnAnswerToo() {
    die(claim -> complete(404));
    abandoned.sweep();
    Answer answer = ada.post("/background/resolved", key, body);
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.isReplay()).isTrue();
    assertThat(things()).isZero();
  }

  @Test
  void whatWasNotDoneIsReleased() {
    die(claim -> new Resolution.Release());
    abandoned.sweep();
    assertThat(verdicts.asked(key)).isEqualTo(1);
    assertThat(records()).isZero();
  }

  @Test
  void whatWasBegunGoesOn() {
    die(
        claim ->
            new Resolution.Resume(
                lease -> {
                  assertThat(lease.isTakenOver()).isTrue();
                  runs.passGate(name);
                  lease.complete(() -> made(201));
                }));
    runs.close(name);
    abandoned.sweep();
    assertThat(ada.post("/background/resolved", key, body).status()).isEqualTo(202);
    runs.open(name);
    await().until(() -> ada.post("/background/resolved", key, body).status() == 201);
    assertKeptOnce();
    await().until(() -> !leases.isRenewing(key));
  }

  @ParameterizedTest
  @ValueSource(strings = {"throws", "throws badly", "fails", "cannot commit"})
  void aResolverThatDoesNotKnowIsAskedAgainLater(String how) {
    die(
        claim ->
            switch (how) {
              case "throws" -> throw new IllegalStateException("the bank does not answer");
              case "throws badly" -> throw new AssertionError("the bank broke");
              case "fails" -> complete(503);
              default ->
                  new Resolution.Complete(
                      () -> Response.ok(business.make(name, "nobody").toString()).build());
            });
    abandoned.sweep();
    assertThat(records()).isEqualTo(1);
    assertThat(things()).isZero();
    assertThat(leases.isRenewing(key)).isFalse();
    assertThat(ada.post("/background/resolved", key, body).status()).isEqualTo(202);
    endLease();
    verdicts.pass(key, claim -> complete(201));
    abandoned.sweep();
    assertThat(verdicts.asked(key)).isEqualTo(2);
    assertKeptOnce();
  }

  @Test
  void whoeverTakesTheClaimOverMeanwhileFencesTheSweepOff() {
    try (Rival rival = new Rival(ORDERS)) {
      die(
          claim -> {
            rival.takeOver(key);
            return complete(201);
          });
      abandoned.sweep();
      assertThat(things()).isZero();
      assertThat(records()).isEqualTo(1);
    }
  }

  @Test
  void ofManySweepsAtOnceOneSettlesIt() throws Exception {
    die(claim -> complete(201));
    List<Integer> found = atOnce(8, abandoned::sweep);
    assertThat(found.stream().mapToInt(Integer::intValue).sum()).isEqualTo(1);
    assertThat(verdicts.asked(key)).isEqualTo(1);
    assertKeptOnce();
  }

  /** Found by reading: the leases of the later ones were not renewed before it was their turn. */
  @Test
  void whileOneIsSettledTheLeasesOfTheOthersAreRenewed() throws Exception {
    ada.post("/leased", key + "-pace", body); // a lease of one second sets the heartbeat's pace
    String other = key + "-other";
    ada.post("/leased", other, body);
    ORDERS.update(
        """
        UPDATE idempotency_record
        SET    operation = ?, status = 'STARTED', completed_at = NULL, response_status = NULL, response_headers = NULL,
               response_body = NULL, lease_expires_at = now() - interval '10 min'
        WHERE  key = ?
        """,
        BackgroundThings.RESOLVED,
        other);
    die(
        claim -> {
          runs.passGate(name);
          return new Resolution.Release();
        });
    ORDERS.update(
        "UPDATE idempotency_record SET lease_expires_at = now() - interval '1 h' WHERE key = ?",
        key);
    runs.close(name);
    Future<Integer> sweep = threads.submit(abandoned::sweep);
    await().until(() -> verdicts.asked(key) == 1);
    String before = ORDERS.text(LEASE_ENDS, other);
    await().until(() -> !String.valueOf(ORDERS.text(LEASE_ENDS, other)).equals(before));
    runs.open(name);
    assertThat(sweep.get()).isEqualTo(2);
    assertThat(leases.isRenewing(other)).isFalse();
  }

  /**
   * Found by reading: the key was released, and what was stored stayed as it was for ever unless
   * the client came back.
   */
  @Test
  void whatIsStoredAndCannotBeAcceptedIsLeftToItsRepeat() {
    storeWithoutAccepting();
    assertThat(ada.post(STORED, key, "{\"name\":\"another\"}").status()).isEqualTo(422);
    assertThat(ada.post(STORED, key, body).status()).isEqualTo(202);
    assertThat(things()).isEqualTo(1);
  }

  @Test
  void whatIsStoredAndCannotBeAcceptedIsLeftToTheSweep() {
    storeWithoutAccepting();
    endLease();
    verdicts.pass(key, claim -> new Resolution.Complete(() -> Response.status(201).build()));
    abandoned.sweep();
    Answer answer = ada.post(STORED, key, body);
    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.isReplay()).isTrue();
    assertThat(things()).isEqualTo(1);
  }

  private void storeWithoutAccepting() {
    ORDERS.update("ALTER TABLE idempotency_record RENAME COLUMN accepted_at TO accepted_at_away");
    try {
      assertThat(ada.post(STORED, key, body).status()).isEqualTo(500);
    } finally {
      ORDERS.update("ALTER TABLE idempotency_record RENAME COLUMN accepted_at_away TO accepted_at");
    }
    assertThat(leases.isRenewing(key)).isFalse();
    assertThat(things()).isEqualTo(1);
    assertThat(records()).isEqualTo(1);
  }

  /** A process begins the work in the background, and dies. */
  private void die(Verdicts.Verdict verdict) {
    verdicts.pass(key, verdict);
    long before = counts.of(BackgroundThings.RESOLVED, RequestOutcome.FAILED);
    assertThat(ada.post("/background/resolved", key, body).status()).isEqualTo(202);
    await().until(() -> counts.of(BackgroundThings.RESOLVED, RequestOutcome.FAILED) == before + 1);
    await().until(() -> !leases.isRenewing(key));
    endLease();
  }

  private void endLease() {
    ORDERS.update(
        "UPDATE idempotency_record SET lease_expires_at = now() - interval '1 min' WHERE key = ?",
        key);
  }

  private Resolution complete(int status) {
    return new Resolution.Complete(() -> made(status));
  }

  private Response made(int status) {
    return Response.status(status).entity(Map.of("id", business.make(name))).build();
  }
}
