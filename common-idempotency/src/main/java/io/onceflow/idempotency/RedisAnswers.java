package io.onceflow.idempotency;

import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what scripts and commands answer. */
final class RedisAnswers {

  private RedisAnswers() {}

  /** {@code DONE, token, expiry, status, headers, body}. */
  static KeptResponse kept(Response answer) {
    StoredResponse response =
        new StoredResponse(
            answer.get(3).toInteger(),
            ResponseHeaders.read(answer.get(4).toString()),
            answer.get(5).toBytes());
    return new KeptResponse(
        response, answer.get(1).toLong(), Instant.ofEpochMilli(answer.get(2).toLong()));
  }

  /** Arguments of the {@code HMGET} whose answer {@link #state} reads. */
  static Object[] stateOf(String record) {
    return new Object[] {
      record,
      "status",
      "token",
      "expires_at",
      "response_status",
      "response_headers",
      "response_body",
      "created_at",
      "lease_expires_at"
    };
  }

  static Optional<KeyState> state(@Nullable Response answer) {
    if (answer == null || answer.get(0) == null) {
      return Optional.empty();
    }
    Instant createdAt = Instant.ofEpochMilli(answer.get(6).toLong());
    boolean isDone = answer.get(0).toString().equals("COMPLETED");
    Instant end = Instant.ofEpochMilli(answer.get(isDone ? 2 : 7).toLong());
    return Optional.of(new KeyState(isDone ? kept(answer).response() : null, createdAt, end));
  }
}
