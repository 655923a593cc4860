package io.onceflow.saga.internal.store.version;

import io.onceflow.core.internal.OnceflowException;

/** A version that sagas follow has other steps in this build; the process must not start. */
public final class SagaShapeChanged extends OnceflowException {

  private static final long serialVersionUID = 1L;

  /** One of those that have changed is enough to say what to do. */
  public SagaShapeChanged(DefinitionShapes.Changed changed) {
    super(
        ("sagas were started by %s with the steps %s, and this build has %s under the same version."
                + " Give the definition a new version, and keep the one before it in"
                + " earlierVersions() until its sagas have ended; until then nothing is lost, and"
                + " nothing of them moves here.")
            .formatted(changed.definition(), changed.before(), changed.now()));
  }
}
