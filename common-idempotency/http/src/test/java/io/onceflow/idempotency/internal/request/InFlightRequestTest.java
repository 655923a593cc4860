package io.onceflow.idempotency.internal.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.Idempotent;
import io.onceflow.idempotency.internal.request.InFlightRequests.Joined;
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

/** One request asks for all, and however it ends, no other is left waiting. */
@Timeout(10)
class InFlightRequestTest {

  private static final Duration LONG = Duration.ofSeconds(5);
  private static final StoredResponse ANSWER =
      new StoredResponse(200, Map.of(), "done".getBytes(UTF_8));

  private final InFlightRequests inFlightRequests = new InFlightRequests();

  @Test
  void theFirstLeadsAndTheOthersGetWhatItFinds() throws Exception {
    Joined first = join("a", "x");
    Joined second = join("a", "x");
    assertThat(first.isLeader()).isTrue();
    assertThat(second.isLeader()).isFalse();
    first.inFlight().found(done());
    first.inFlight().answered(ANSWER);
    assertThat(second.inFlight().awaitFound()).isEqualTo(done());
    assertThat(second.inFlight().awaitAnswer(LONG)).contains(ANSWER);
  }

  @Test
  void otherKeysAndOtherRequestsFlyByThemselves() {
    assertThat(join("a", "x").isLeader()).isTrue();
    assertThat(join("b", "x").isLeader()).isTrue();
    assertThat(join("a", "y").isLeader()).isTrue();
  }

  @Test
  void oneThatEndsWithoutAWordLetsAllGo() throws Exception {
    Joined first = join("a", "x");
    Joined second = join("a", "x");
    first.inFlight().close();
    assertThat(second.inFlight().awaitFound()).isInstanceOf(Claim.InProgress.class);
    assertThat(second.inFlight().awaitAnswer(LONG)).isEmpty();
  }

  @Test
  void whoeverIsLetGoFindsThePlaceFree() throws Exception {
    Joined first = join("a", "x");
    first.inFlight().close();
    assertThat(join("a", "x").isLeader()).isTrue();
    first.inFlight().close();
    assertThat(join("a", "x").isLeader()).as("closing ends only its own request").isFalse();
  }

  @Test
  void allAreToldThatTheStoreIsAway() {
    Joined first = join("a", "x");
    Joined second = join("a", "x");
    IdempotencyUnusable away = new IdempotencyUnusable(new IllegalStateException("away"));
    first.inFlight().failed(away);
    assertThatExceptionOfType(IdempotencyUnusable.class)
        .isThrownBy(second.inFlight()::awaitFound)
        .isSameAs(away);
  }

  @Test
  void whoComesLateGetsWhatWasFoundLast() throws Exception {
    Joined first = join("a", "x");
    first.inFlight().found(Claim.InProgress.unseen());
    first.inFlight().found(done());
    assertThat(join("a", "x").inFlight().awaitFound()).isEqualTo(done());
  }

  @Test
  void patienceEnds() {
    Joined first = join("a", "x");
    assertThatExceptionOfType(TimeoutException.class)
        .isThrownBy(() -> first.inFlight().awaitAnswer(Duration.ofMillis(1)));
  }

  private Joined join(String key, String print) {
    return inFlightRequests.join(
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
