package io.onceflow.outbox.internal.transport;

import java.io.IOException;

/**
 * Why a transport refuses the service though it is there: a password, a right, a certificate. It
 * does not pass by itself, and the transport has logged it.
 */
public abstract class TransportRefusal extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * @param message on one line, for people
   */
  protected TransportRefusal(String message) {
    super(message);
  }
}
