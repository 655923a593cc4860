package io.onceflow.saga.internal;

import io.onceflow.core.internal.OnceflowException;

/** A saga is defined in a way that could not run; says which saga, what is wrong and what to do. */
public final class SagaDefinitionInvalid extends OnceflowException {

  private static final long serialVersionUID = 1L;

  public SagaDefinitionInvalid(String message) {
    super(message);
  }
}
