package io.onceflow.reconciliation.internal.run;

import io.onceflow.core.internal.OnceflowException;

/** Another attempt of the run has started, since the lease of this one was over. */
final class RunLost extends OnceflowException {

  private static final long serialVersionUID = 1L;

  RunLost(LeasedRun run) {
    super(
        "attempt %s of run %s (%s, %s) is not the current one any more; it is aborted"
            .formatted(run.attempt(), run.id(), run.comparison(), run.day()));
  }
}
