package io.onceflow.saga.internal.repair;

import io.onceflow.core.internal.OnceflowException;

/** What an operator asks of repairs is not done; nothing has changed. */
final class RepairRefused extends OnceflowException {

  private static final long serialVersionUID = 1L;

  private final Because because;

  /** Why it is not done. */
  enum Because {
    /** The same repair is not finished. */
    UNDER_WAY,
    /** The operator who started it cannot approve it. */
    SECOND_OPERATOR_NEEDED,
    /** It makes no sense for the repair as it stands. */
    REFUSES,
    /** There is no such repair. */
    UNKNOWN
  }

  RepairRefused(Because because, String detail) {
    super(detail);
    this.because = because;
  }

  Because because() {
    return because;
  }
}
