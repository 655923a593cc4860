package io.onceflow.saga.internal.engine;

import io.onceflow.saga.internal.RetryPolicy;

/**
 * The status of a saga.
 *
 * <pre>
 *           a step failed, the deadline
 *           passed, or it is cancelled        every step undone
 *   RUNNING ---------------------------> COMPENSATING -------------> COMPENSATED
 *    | ^  |                                |    ^                     ^   ^
 *    | |  |                   past a limit |    | answered            |   |
 *    | |  |   past a limit                 v    |                     |   |
 *    | |  +-----------------------------> STUCK +---------------------+   |
 *    | |                                  |  |      the last one answered |
 *    | +----------------------------------+  |                            |
 *    |            answered                   |                            |
 *    +---------> COMPLETED <-----------------+                            |
 *    |  every step         the last one answered                          |
 *    |  succeeded                                                         |
 *    +--------------------------------------------------------------------+
 *                 a step was refused, and there is nothing to undo
 * </pre>
 *
 * <p>COMPLETED and COMPENSATED are ends: nothing leaves them. Every other status has a timer, so
 * that no saga is forgotten.
 */
public enum SagaStatus {
  /** Going forward. */
  RUNNING,
  /** The steps that were done are being undone. */
  COMPENSATING,
  /** Every step succeeded. */
  COMPLETED,
  /** Everything that was or may have been done has been undone. */
  COMPENSATED,
  /**
   * A message that must be answered, a compensation or a step past the pivot, was sent more often
   * than {@link RetryPolicy#stuckAfter()}. The saga still sends it, at longer intervals; an
   * operator should look at it.
   */
  STUCK;

  /** Whether the saga is over, one way or the other. */
  public boolean isEnd() {
    return switch (this) {
      case COMPLETED, COMPENSATED -> true;
      case RUNNING, COMPENSATING, STUCK -> false;
    };
  }
}
