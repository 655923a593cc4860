package io.onceflow.simulation.inbox;

import io.onceflow.core.internal.StepKey;

/** Observes what is committed to an inbox. */
public interface InboxWatch {

  /** A step was started: from here on its call may be made. */
  void begun(String scope, StepKey key);

  /** A step that had been refused was started again. */
  void begunAgain(StepKey key);

  /** A step that had been completed was completed again. */
  void completedAgain(StepKey key);
}
