package io.onceflow.saga.internal.runtime;

import io.onceflow.core.internal.OnceflowException;
import java.util.UUID;

/** The database did not answer about a saga; the caller's transaction must not commit. */
final class SagaNotRead extends OnceflowException {

  private static final long serialVersionUID = 1L;

  SagaNotRead(Class<?> saga, UUID subjectId, Throwable cause) {
    super(
        "%s about %s could not be read or written: %s"
            .formatted(saga.getSimpleName(), subjectId, cause.getMessage()),
        cause);
  }
}
