package io.onceflow.reconciliation.internal.difference;

import io.onceflow.core.internal.OnceflowException;

/** A difference is not mended or dismissed; the message says why. Nothing has changed. */
public final class MendRefused extends OnceflowException {

  private static final long serialVersionUID = 1L;

  private final Because because;

  /** Why. */
  public enum Because {
    /** There is no such difference. */
    UNKNOWN,
    /** As it stands it cannot be. */
    REFUSED,
    /** The other system, or a book, did not answer; to try again is safe. */
    UNAVAILABLE
  }

  MendRefused(Because because, String message) {
    super(message);
    this.because = because;
  }

  MendRefused(Because because, String message, Throwable cause) {
    super(message, cause);
    this.because = because;
  }

  /** Why. */
  public Because because() {
    return because;
  }
}
