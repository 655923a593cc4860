package io.onceflow.simulated;

import io.onceflow.core.internal.OnceflowException;

/** A key that came before with another request, or an effect that is not known; nothing is done. */
public final class KeyReused extends OnceflowException {

  private static final long serialVersionUID = 1L;

  KeyReused(EffectKey key) {
    super(
        ("%s was used for another order, amount or effect, or what it undoes is not known;"
                + " nothing was done")
            .formatted(key));
  }
}
