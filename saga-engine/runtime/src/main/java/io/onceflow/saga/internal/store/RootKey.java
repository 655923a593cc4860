package io.onceflow.saga.internal.store;

import io.onceflow.core.IdempotencyKey;
import java.util.UUID;

/**
 * The root key of a saga, from which its step keys are made.
 *
 * @param scope whose key it is
 * @param value the key
 */
public record RootKey(String scope, String value) {

  /** A key that no other saga has, for a saga whose client's key an earlier saga has used. */
  public String madeUniqueBy(UUID sagaId) {
    String suffix = "~" + sagaId;
    int room = IdempotencyKey.MAX_LENGTH - suffix.length();
    return value.substring(0, Math.min(room, value.length())) + suffix;
  }
}
