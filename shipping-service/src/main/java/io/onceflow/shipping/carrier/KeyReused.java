package io.onceflow.shipping.carrier;

import io.onceflow.core.OnceflowException;
import io.onceflow.shipping.domain.BookingKey;

/** A key that came before for something else; nothing was done for it. */
final class KeyReused extends OnceflowException {

  private static final long serialVersionUID = 1L;

  KeyReused(BookingKey key) {
    super(
        ("the carrier knows %s for another order or booking, or does not know its booking;"
                + " nothing was done")
            .formatted(key));
  }
}
