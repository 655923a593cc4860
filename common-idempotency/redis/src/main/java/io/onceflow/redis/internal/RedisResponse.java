package io.onceflow.redis.internal;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.ResponseHeaders;
import io.onceflow.idempotency.internal.store.StoredResponse;
import io.onceflow.redis.internal.RecordMac.Verdict;
import io.vertx.redis.client.Response;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An answer in Redis, as texts and bytes that are not verified yet.
 *
 * @param record its name in Redis
 * @param fingerprint of the request that it answers
 */
record RedisResponse(
    String record,
    byte[] fingerprint,
    String token,
    String expiresAt,
    String status,
    String headers,
    byte[] body) {

  private static final String PURPOSE = "answer";

  static RedisResponse of(String record, Fingerprint fingerprint, CompletedResponse kept) {
    return new RedisResponse(
        record,
        fingerprint.bytes(),
        Long.toString(kept.token()),
        Long.toString(kept.expiresAt().toEpochMilli()),
        Integer.toString(kept.response().status()),
        ResponseHeaders.write(kept.response().headers()),
        kept.response().body());
  }

  /**
   * Reads {@code token, expiry, status, headers, body, fingerprint, code} from a place of an answer
   * on.
   *
   * @throws UnverifiedRecord if its HMAC does not verify
   */
  static RedisResponse read(String record, Response answer, int from, RedisIntegrity integrity) {
    RedisResponse read =
        new RedisResponse(
            record,
            bytes(answer.get(from + 5)),
            text(answer.get(from)),
            text(answer.get(from + 1)),
            text(answer.get(from + 2)),
            text(answer.get(from + 3)),
            bytes(answer.get(from + 4)));
    integrity.verify(answer.get(from + 6), read.parts());
    return read;
  }

  String sign(RedisIntegrity integrity) {
    return integrity.sign(parts());
  }

  private Object[] parts() {
    return new Object[] {
      PURPOSE, record, fingerprint, token, expiresAt, status, headers, body,
    };
  }

  /** The claim that a request with this fingerprint finds. */
  Claim claim(Fingerprint asked) {
    return asked.equals(Fingerprint.stored(fingerprint))
        ? new Claim.Done(kept())
        : new Claim.Reused();
  }

  CompletedResponse kept() {
    StoredResponse response =
        new StoredResponse(Integer.parseInt(status), ResponseHeaders.read(headers), body);
    if (!ReplayRules.isOne(response)) {
      throw new UnverifiedRecord(Verdict.FORGED);
    }
    return new CompletedResponse(
        response, Long.parseLong(token), Instant.ofEpochMilli(Long.parseLong(expiresAt)));
  }

  /** A missing field makes the record invalid. */
  static String text(@Nullable Response field) {
    return present(field).toString();
  }

  static byte[] bytes(@Nullable Response field) {
    return present(field).toBytes();
  }

  private static Response present(@Nullable Response field) {
    if (field == null) {
      throw new UnverifiedRecord(Verdict.FORGED);
    }
    return field;
  }
}
