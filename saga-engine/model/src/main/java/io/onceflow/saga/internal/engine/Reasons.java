package io.onceflow.saga.internal.engine;

/** Why a saga is undone when no participant refused. Shown to users and stored: the words stay. */
public final class Reasons {

  /** A step was not answered in its time. */
  public static final String TIMED_OUT = "TIMED_OUT";

  /** The saga did not reach its pivot before its deadline. */
  public static final String DEADLINE_PASSED = "DEADLINE_PASSED";

  /** An operator did not approve. */
  public static final String NOT_APPROVED = "NOT_APPROVED";

  /** A saga that it had started before its pivot was compensated. */
  public static final String CHILD_COMPENSATED = "CHILD_COMPENSATED";

  /** The saga that started it is undone. */
  public static final String COMPENSATED_BY_PARENT = "COMPENSATED_BY_PARENT";

  /** An operator had it undone. */
  public static final String COMPENSATED_BY_OPERATOR = "COMPENSATED_BY_OPERATOR";

  private Reasons() {}
}
