package io.onceflow.saga.internal.runtime;

import io.onceflow.core.internal.OnceflowException;

/** The database has refused a saga's statement; the caller's transaction must not commit. */
final class SagaAccessFailed extends OnceflowException {

  private static final long serialVersionUID = 1L;

  private static final String ONE_PER_SUBJECT = "saga_instance_one_per_subject";

  SagaAccessFailed(String what, Throwable cause) {
    super(what + ": " + why(cause), cause);
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
