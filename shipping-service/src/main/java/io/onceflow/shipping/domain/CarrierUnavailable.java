package io.onceflow.shipping.domain;

import io.onceflow.core.OnceflowException;

/** The carrier gave no answer that says what happened. Whatever it was happened under the key. */
public final class CarrierUnavailable extends OnceflowException {

  private static final long serialVersionUID = 1L;

  /**
   * @param key what was asked for
   * @param why in words
   */
  public CarrierUnavailable(BookingKey key, String why) {
    super("the carrier gave no answer to %s (%s)".formatted(key, why));
  }
}
