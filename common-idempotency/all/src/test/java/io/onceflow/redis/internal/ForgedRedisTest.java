package io.onceflow.redis.internal;

import static io.onceflow.idempotency.Idempotent.Mode.LEASED;
import static io.onceflow.idempotency.Idempotent.Mode.TRANSACTIONAL;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.Ownership;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What somebody else wrote into Redis, or moved there, is not believed: what is stored is signed.
 */
@Timeout(60)
class ForgedRedisTest extends HybridUnderTest {

  /** Seen red on a front without codes: the line replayed 302 to an address of its writer's. */
  @Test
  void anAnswerThatSomebodyWroteIntoRedisIsNotReplayed() throws Exception {
    run(TRANSACTIONAL, response("done"));
    double unverified = TestRedis.unverified();
    forge();
    assertThat(find(TRANSACTIONAL).body()).isEqualTo("done".getBytes(UTF_8));
    assertThat(TestRedis.unverified()).isEqualTo(unverified + 1);
    forgetInPostgres();
    assertThat(find(TRANSACTIONAL).body()).as("put right").isEqualTo("done".getBytes(UTF_8));
  }

  /** A token beyond all others would keep the true answer from being cached. */
  @Test
  void aForgedAnswerToAKeyThatWasNeverUsedHoldsNothingBack() throws Exception {
    forge();
    run(LEASED, response("done"));
    forgetInPostgres();
    assertThat(find(LEASED).body()).isEqualTo("done".getBytes(UTF_8));
  }

  /** Signed, but for another key. */
  @Test
  void anAnswerThatWasMovedToAnotherKeyIsNotReplayed() throws Exception {
    run(TRANSACTIONAL, response("of another key"));
    byte[] moved = REDIS.dump(RedisKeys.entry(key));
    ScopedKey other = new ScopedKey(key.scope(), new IdempotencyKey(key.key() + "-2"));
    REDIS.restore(RedisKeys.entry(other), moved, Duration.ofHours(1));
    ClaimRequest request = new ClaimRequest(other, PRINT, operation, TRANSACTIONAL, LEASE, KEPT);
    assertThat(ask(request)).isInstanceOf(Claim.Won.class);
  }

  /** Else 422 could be written into Redis for any key. */
  @Test
  void aForgedFingerprintDoesNotMakeTheKeyAnothers() throws Exception {
    run(TRANSACTIONAL, response("done"));
    REDIS.write(RedisKeys.entry(key), "fingerprint", OTHER.bytes());
    assertThat(find(TRANSACTIONAL).body()).isEqualTo("done".getBytes(UTF_8));
  }

  @Test
  void aForgedMarkerHoldsNothingBack() throws Exception {
    REDIS.write(
        RedisKeys.entry(key),
        "fingerprint",
        PRINT.bytes(),
        "marker",
        "00000000-0000-0000-0000-000000000000");
    assertThat(ask(LEASED)).isInstanceOf(Claim.Won.class);
  }

  /** It would fill the memory of its reader. */
  @Test
  void anAnswerBeyondTheLongestIsNotFetched() throws Exception {
    run(TRANSACTIONAL, response("done"));
    REDIS.write(RedisKeys.entry(key), "response_body", new byte[2 << 20]);
    double unverified = TestRedis.unverified();
    assertThat(find(TRANSACTIONAL).body()).isEqualTo("done".getBytes(UTF_8));
    assertThat(TestRedis.unverified()).isEqualTo(unverified + 1);
  }

  /** Its time to live was taken away, and PostgreSQL has forgotten it. */
  @Test
  void anAnswerThatWasMadeToLastEndsAllTheSame() throws Exception {
    CompletedResponse kept;
    try (OneProcess process = process()) {
      Ownership own = start(process, LEASED);
      kept = process.store().complete(own, response("done"));
      process.commit();
      process.store().committed(own, kept);
    }
    RedisResponse past =
        RedisResponse.of(
            RedisKeys.entry(key),
            PRINT,
            new CompletedResponse(kept.response(), kept.token(), Instant.now().minusSeconds(60)));
    REDIS.write(
        RedisKeys.entry(key),
        "expires_at",
        past.expiresAt(),
        "mac",
        past.sign(TestRedis.INTEGRITY));
    REDIS.send(Command.PERSIST, RedisKeys.entry(key));
    forgetInPostgres();
    assertThat(ask(LEASED)).isInstanceOf(Claim.Won.class);
  }

  private void forge() {
    REDIS.write(
        RedisKeys.entry(key),
        "fingerprint",
        PRINT.bytes(),
        "token",
        Long.MAX_VALUE,
        "expires_at",
        Instant.now().plusSeconds(600).toEpochMilli(),
        "response_status",
        302,
        "response_headers",
        "{\"Location\":[\"https://evil.example\"]}",
        "response_body",
        "forged");
  }
}
