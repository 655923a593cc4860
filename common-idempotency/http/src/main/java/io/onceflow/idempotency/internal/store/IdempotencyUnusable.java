package io.onceflow.idempotency.internal.store;

import io.onceflow.core.internal.OnceflowException;
import io.onceflow.core.internal.ScopedKey;

/**
 * The record of a key could not be read or written, or its transaction could not commit. Nothing of
 * the request was kept, unless the connection broke during the commit itself; either way it may be
 * repeated under the same key.
 */
public final class IdempotencyUnusable extends OnceflowException {

  private static final long serialVersionUID = 1L;

  private final Exception reason;

  /**
   * @param key of the record
   * @param cause the cause
   */
  public IdempotencyUnusable(ScopedKey key, Exception cause) {
    super(
        "The idempotency record of key %s could not be used (%s); repeat the request under it"
            .formatted(key, cause.getMessage()),
        cause);
    this.reason = cause;
  }

  /**
   * @param cause the cause, where no single key is concerned
   */
  public IdempotencyUnusable(Exception cause) {
    super(
        "The idempotency records could not be used (%s); retried at the next run"
            .formatted(cause.getMessage()),
        cause);
    this.reason = cause;
  }

  /** The cause. */
  public Exception reason() {
    return reason;
  }
}
