package io.onceflow.saga.internal.runtime;

import io.onceflow.core.internal.OnceflowException;

/** The database has refused a saga's start; the caller's transaction must not commit. */
final class SagaNotStarted extends OnceflowException {

  private static final long serialVersionUID = 1L;

  SagaNotStarted(Class<?> saga, Throwable cause) {
    super("%s could not be started: %s".formatted(saga.getSimpleName(), cause.getMessage()), cause);
  }
}
