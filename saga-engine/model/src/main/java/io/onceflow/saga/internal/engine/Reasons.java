package io.onceflow.saga.internal.engine;

/** Why a saga is undone when no participant refused. Shown to users and stored: the words stay. */
public final class Reasons {

  /** A step was not answered in its time. */
  public static final String TIMED_OUT = "TIMED_OUT";

  /** The saga did not reach its pivot before its deadline. */
  public static final String DEADLINE_PASSED = "DEADLINE_PASSED";

  /** An operator did not approve. */
  public static final String NOT_APPROVED = "NOT_APPROVED";

  /** An operator had it undone. */
  public static final String COMPENSATED_BY_OPERATOR = "COMPENSATED_BY_OPERATOR";

  private Reasons() {}
}
