package io.onceflow.payment.domain;

import io.onceflow.core.OnceflowException;

/** The gateway gave no answer that says what happened. Whatever it was happened under the key. */
public final class GatewayUnavailable extends OnceflowException {

  private static final long serialVersionUID = 1L;

  /**
   * @param key what was asked for
   * @param why in words
   */
  public GatewayUnavailable(ChargeKey key, String why) {
    super("the gateway gave no answer to %s (%s)".formatted(key, why));
  }
}
