package io.onceflow.core.internal;

import io.onceflow.core.IdempotencyKey;

/** A key that breaks the published syntax; nothing was looked up and nothing has run. */
public final class MalformedIdempotencyKey extends OnceflowException {

  private static final long serialVersionUID = 1L;

  public MalformedIdempotencyKey(String why) {
    super(
        "The Idempotency-Key is malformed: "
            + why
            + ". Send 1 to "
            + IdempotencyKey.MAX_LENGTH
            + " printable ASCII characters, best a fresh UUID in double quotes.");
  }
}
