package io.onceflow.idempotency.internal.store;

import io.onceflow.core.internal.OnceflowException;

/**
 * The lease has expired and another request has taken the claim over, or the record was deleted.
 * The current transaction must be rolled back (rule 4).
 */
public final class LeaseLost extends OnceflowException {

  private static final long serialVersionUID = 1L;

  /** For the claim that was lost. */
  public LeaseLost(Ownership own) {
    super(
        ("The lease on key %s (%s) ended before its work did, and fencing token %s no longer holds:"
                + " nothing of this run is kept. If this happens often, give the operation a longer"
                + " lease than %s.")
            .formatted(own.key(), own.operation(), own.token(), own.request().lease()));
  }
}
