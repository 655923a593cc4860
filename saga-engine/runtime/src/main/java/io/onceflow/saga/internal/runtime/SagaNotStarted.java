package io.onceflow.saga.internal.runtime;

import io.onceflow.core.internal.OnceflowException;

/** The database has refused a saga's start; the caller's transaction must not commit. */
final class SagaNotStarted extends OnceflowException {

  private static final long serialVersionUID = 1L;

  private static final String ONE_PER_SUBJECT = "saga_instance_one_per_subject";

  SagaNotStarted(Class<?> saga, Throwable cause) {
    super("%s could not be started: %s".formatted(saga.getSimpleName(), why(cause)), cause);
  }

  private static String why(Throwable cause) {
    String refusal = String.valueOf(cause.getMessage());
    return refusal.contains(ONE_PER_SUBJECT)
        ? "there is a saga of this definition about the subject already, and there is one for each"
            + " subject, also once it has ended; start it about a new subject (%s)"
                .formatted(refusal)
        : refusal;
  }
}
