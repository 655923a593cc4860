package io.onceflow.idempotency.internal.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.Idempotent;
import io.onceflow.idempotency.internal.request.InFlightRequests.Boarding;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import io.onceflow.idempotency.internal.store.StoredResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One asks for all, and however it ends, nobody is left waiting. */
@Timeout(10)
class InFlightRequestTest {

  private static final Duration LONG = Duration.ofSeconds(5);
  private static final StoredResponse ANSWER =
      new StoredResponse(200, Map.of(), "done".getBytes(UTF_8));

  private final InFlightRequests flights = new InFlightRequests();

  @Test
  void theFirstLeadsAndTheOthersGetWhatItFinds() throws Exception {
    Boarding first = board("a", "x");
    Boarding second = board("a", "x");
    assertThat(first.isLeader()).isTrue();
    assertThat(second.isLeader()).isFalse();
    first.flight().found(done());
    first.flight().answered(ANSWER);
    assertThat(second.flight().awaitFound()).isEqualTo(done());
    assertThat(second.flight().awaitAnswer(LONG)).contains(ANSWER);
  }

  @Test
  void otherKeysAndOtherRequestsFlyByThemselves() {
    assertThat(board("a", "x").isLeader()).isTrue();
    assertThat(board("b", "x").isLeader()).isTrue();
    assertThat(board("a", "y").isLeader()).isTrue();
  }

  @Test
  void oneThatEndsWithoutAWordLetsAllGo() throws Exception {
    Boarding first = board("a", "x");
    Boarding second = board("a", "x");
    first.flight().close();
    assertThat(second.flight().awaitFound()).isInstanceOf(Claim.InProgress.class);
    assertThat(second.flight().awaitAnswer(LONG)).isEmpty();
  }

  @Test
  void whoeverIsLetGoFindsThePlaceFree() throws Exception {
    Boarding first = board("a", "x");
    first.flight().close();
    assertThat(board("a", "x").isLeader()).isTrue();
    first.flight().close();
    assertThat(board("a", "x").isLeader()).as("it ends its own flight only").isFalse();
  }

  @Test
  void allAreToldThatTheStoreIsAway() {
    Boarding first = board("a", "x");
    Boarding second = board("a", "x");
    IdempotencyUnusable away = new IdempotencyUnusable(new IllegalStateException("away"));
    first.flight().failed(away);
    assertThatExceptionOfType(IdempotencyUnusable.class)
        .isThrownBy(second.flight()::awaitFound)
        .isSameAs(away);
  }

  @Test
  void whoComesLateGetsWhatWasFoundLast() throws Exception {
    Boarding first = board("a", "x");
    first.flight().found(Claim.InProgress.unseen());
    first.flight().found(done());
    assertThat(board("a", "x").flight().awaitFound()).isEqualTo(done());
  }

  @Test
  void patienceEnds() {
    Boarding first = board("a", "x");
    assertThatExceptionOfType(TimeoutException.class)
        .isThrownBy(() -> first.flight().awaitAnswer(Duration.ofMillis(1)));
  }

  private Boarding board(String key, String print) {
    return flights.board(
        new ClaimRequest(
            new ScopedKey("ada", new IdempotencyKey(key)),
            Fingerprint.of(print.getBytes(UTF_8)),
            "make",
            Idempotent.Mode.TRANSACTIONAL,
            LONG,
            LONG));
  }

  private static Claim done() {
    return new Claim.Done(new CompletedResponse(ANSWER, 1, Instant.EPOCH));
  }
}
