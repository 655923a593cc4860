package io.onceflow.saga.internal.runtime;

import io.onceflow.core.internal.OnceflowException;
import io.onceflow.saga.internal.store.failure.FailureReason;
import java.util.UUID;

/** A request to a saga failed: a function of its definition throws, or its rows cannot be read. */
public final class SagaFailed extends OnceflowException {

  private static final long serialVersionUID = 1L;

  SagaFailed(UUID saga, Throwable cause) {
    super("handling saga %s failed: %s".formatted(saga, FailureReason.of(cause)), cause);
  }
}
