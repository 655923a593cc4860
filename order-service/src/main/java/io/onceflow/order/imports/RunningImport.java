package io.onceflow.order.imports;

import io.onceflow.core.IdempotencyKey;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An import that has not ended: what a process needs to continue it.
 *
 * @param fingerprint of the request that started it
 * @param traceparent that its orders' sagas carry; null if it has none
 */
record RunningImport(UUID id, String customer, String fingerprint, @Nullable String traceparent) {

  /**
   * The root key of the order at this position, {@code <import's id>~<position>}. It is not made of
   * the client's key, which may have as many characters as a key can have, and may be used again.
   */
  IdempotencyKey rootKey(int position) {
    return new IdempotencyKey(id + "~" + position);
  }
}
