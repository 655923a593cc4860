package io.onceflow.payment.gateway;

import io.onceflow.core.OnceflowException;
import io.onceflow.payment.domain.ChargeKey;

/** A key that came before with another amount, order or charge; no money has moved for it. */
final class KeyReused extends OnceflowException {

  private static final long serialVersionUID = 1L;

  KeyReused(ChargeKey key) {
    super(
        ("the gateway knows %s for another amount, order or charge, or does not know its charge;"
                + " nothing was moved")
            .formatted(key));
  }
}
