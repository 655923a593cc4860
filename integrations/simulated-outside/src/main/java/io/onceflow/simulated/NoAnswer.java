package io.onceflow.simulated;

import io.onceflow.core.internal.OnceflowException;

/** A request without an answer: the effect may have been caused or not. */
public final class NoAnswer extends OnceflowException {

  private static final long serialVersionUID = 1L;

  NoAnswer(String system, EffectKey key, String why) {
    super("the %s gave no answer to %s (%s)".formatted(system, key, why));
  }
}
