package io.onceflow.redis.internal;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.MalformedIdempotencyKey;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.Idempotent;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.ClaimTakenOver;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.KeyState;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.redis.internal.RecordMac.Verdict;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Signs and reads the claims of the store {@code redis}. The HMAC covers what the guard uses of a
 * claim that is found or taken over: key, fingerprint, operation, and how long its answer is
 * stored. It does not cover token and lease, which change in Redis; a client that can write them
 * can also delete the claim.
 */
final class RedisClaims {

  private final RedisIntegrity integrity;

  RedisClaims(RedisIntegrity integrity) {
    this.integrity = integrity;
  }

  String sign(ClaimRequest request) {
    return integrity.sign(
        parts(
            RedisKeys.record(request.key()),
            request.fingerprint().bytes(),
            request.operation(),
            Long.toString(request.retention().toMillis())));
  }

  private static Object[] parts(
      String record, byte[] fingerprint, String operation, String retention) {
    return new Object[] {"claim", record, fingerprint, operation, retention};
  }

  /** Signs that the caller was answered 202. */
  String signAccepted(ClaimRequest request) {
    return integrity.sign(accepted(RedisKeys.record(request.key()), request.fingerprint().bytes()));
  }

  private static Object[] accepted(String record, byte[] fingerprint) {
    return new Object[] {"accepted", record, fingerprint};
  }

  Claim found(ClaimRequest request, Response answer) {
    String record = RedisKeys.record(request.key());
    return switch (answer.get(0).toString()) {
      case "DONE" -> RedisResponse.read(record, answer, 1, integrity).claim(request.fingerprint());
      case "STARTED" -> {
        verify(record, answer);
        Fingerprint found = Fingerprint.stored(answer.get(1).toBytes());
        yield found.equals(request.fingerprint()) ? inProgress(record, answer) : new Claim.Reused();
      }
      default -> throw new UnverifiedRecord(Verdict.FORGED);
    };
  }

  /** {@code STARTED, fingerprint, operation, retention, code, age, lease left, accepted}. */
  private Claim.InProgress inProgress(String record, Response answer) {
    return new Claim.InProgress(
        Duration.ofMillis(answer.get(5).toLong()),
        Duration.ofMillis(answer.get(6).toLong()),
        isAccepted(record, answer.get(1).toBytes(), answer.get(7)));
  }

  private void verify(String record, Response answer) {
    integrity.verify(
        answer.get(4),
        parts(
            record,
            RedisResponse.bytes(answer.get(1)),
            RedisResponse.text(answer.get(2)),
            RedisResponse.text(answer.get(3))));
  }

  private boolean isAccepted(String record, byte[] fingerprint, @Nullable Response code) {
    if (code == null || code.toString().isEmpty()) {
      return false;
    }
    integrity.verify(code, accepted(record, fingerprint));
    return true;
  }

  /** What {@code find.lua} answers: as above, with the times in the place of age and lease. */
  Optional<KeyState> state(ScopedKey key, Response answer) {
    String record = RedisKeys.record(key);
    return switch (answer.get(0).toString()) {
      case "NONE" -> Optional.empty();
      case "DONE" -> {
        RedisResponse read = RedisResponse.read(record, answer, 2, integrity);
        Fingerprint fingerprint = Fingerprint.stored(read.fingerprint());
        CompletedResponse kept = read.kept();
        yield Optional.of(
            new KeyState(fingerprint, kept.response(), instant(answer.get(1)), kept.expiresAt()));
      }
      case "STARTED" -> {
        verify(record, answer);
        Fingerprint fingerprint = Fingerprint.stored(RedisResponse.bytes(answer.get(1)));
        yield Optional.of(
            new KeyState(fingerprint, null, instant(answer.get(5)), instant(answer.get(6))));
      }
      default -> throw new UnverifiedRecord(Verdict.FORGED);
    };
  }

  private static Instant instant(Response field) {
    return Instant.ofEpochMilli(field.toLong());
  }

  /**
   * A claim that the sweep took over: {@code TAKEN_OVER, fingerprint, operation, retention, code,
   * scope, key, accepted}.
   *
   * @param member the name of its record
   */
  ClaimTakenOver abandoned(String member, Response answer, Duration lease, long token) {
    ScopedKey key = key(answer);
    if (!RedisKeys.record(key).equals(member)) {
      throw new UnverifiedRecord(Verdict.FORGED);
    }
    verify(member, answer);
    ClaimRequest request =
        new ClaimRequest(
            key,
            Fingerprint.stored(answer.get(1).toBytes()),
            answer.get(2).toString(),
            Idempotent.Mode.LEASED,
            lease,
            Duration.ofMillis(answer.get(3).toLong()));
    return new ClaimTakenOver(
        new Ownership(request, token, true),
        isAccepted(member, answer.get(1).toBytes(), answer.get(7)));
  }

  private static ScopedKey key(Response answer) {
    try {
      return new ScopedKey(
          RedisResponse.text(answer.get(5)), new IdempotencyKey(RedisResponse.text(answer.get(6))));
    } catch (MalformedIdempotencyKey | IllegalArgumentException e) {
      throw new UnverifiedRecord(Verdict.FORGED);
    }
  }
}
