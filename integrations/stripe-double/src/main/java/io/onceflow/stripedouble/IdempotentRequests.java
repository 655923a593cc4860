package io.onceflow.stripedouble;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stripe's rules for {@code Idempotency-Key}: the same request is answered the same, whatever the
 * first came to, 500 included; another request under the key, or one while the first is under way,
 * is refused; a request that is refused before it is carried out leaves the key free.
 */
final class IdempotentRequests {

  /** A request that was carried out or is being carried out; no response yet while it is. */
  private record Known(String fingerprint, @Nullable StripeResponse response) {}

  /** The outcome of a request. */
  sealed interface Turn {

    /** It is to be carried out. */
    record First() implements Turn {}

    /** It was carried out before. */
    record Replay(StripeResponse response) implements Turn {}

    /** It is refused. */
    record Refusal(StripeResponse response) implements Turn {}
  }

  private final Map<String, Known> keys = new HashMap<>();

  synchronized Turn begin(String key, String fingerprint) {
    Known known = keys.get(key);
    if (known == null) {
      keys.put(key, new Known(fingerprint, null));
      return new Turn.First();
    }
    if (!known.fingerprint().equals(fingerprint)) {
      return new Turn.Refusal(
          StripeResponse.refused(
              400,
              "idempotency_error",
              "idempotency_key_in_use",
              "Keys for idempotent requests can only be used with the same parameters they were"
                  + " first used with."));
    }
    if (known.response() == null) {
      return new Turn.Refusal(
          StripeResponse.refused(
              409,
              "invalid_request_error",
              "idempotency_key_in_use",
              "There is currently another in-progress request using this Idempotent Key."));
    }
    return new Turn.Replay(known.response());
  }

  synchronized void end(String key, String fingerprint, @Nullable StripeResponse response) {
    if (response != null && response.isSaved()) {
      keys.put(key, new Known(fingerprint, response));
    } else {
      keys.remove(key);
    }
  }

  synchronized long underWay() {
    return keys.values().stream().filter(known -> known.response() == null).count();
  }

  synchronized void clear() {
    keys.values().removeIf(known -> known.response() != null);
  }
}
