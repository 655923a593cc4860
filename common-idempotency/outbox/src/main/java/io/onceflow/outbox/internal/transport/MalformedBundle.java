package io.onceflow.outbox.internal.transport;

import io.onceflow.core.internal.OnceflowException;

/** The body of a message of type {@code Pack} is not a bundle that this version can read. */
public final class MalformedBundle extends OnceflowException {

  private static final long serialVersionUID = 1L;

  MalformedBundle(String what) {
    super("this is no bundle: " + what);
  }
}
