package io.onceflow.simulated;

/** A simulated system has taken a request on, and will decide about it later: ask again. */
public final class NotSettled extends RuntimeException {

  private static final long serialVersionUID = 1L;

  NotSettled(String name, EffectKey key) {
    super("the simulated %s has not decided about %s yet".formatted(name, key.key()));
  }
}
