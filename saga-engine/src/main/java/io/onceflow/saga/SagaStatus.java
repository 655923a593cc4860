package io.onceflow.saga;

/**
 * Where a saga stands.
 *
 * <pre>
 *           a step refused,                   every step
 *           steps to undo                     undone
 *   RUNNING ----------------> COMPENSATING ----------------> COMPENSATED
 *    |   |                      |      ^                          ^
 *    |   |         past a limit |      | a retry succeeded        |
 *    |   |                      v      |                          |
 *    |   |                       STUCK                            |
 *    |   |                                                        |
 *    |   +--------------------------------------------------------+
 *    |           a step refused, nothing to undo
 *    |
 *    +---------> COMPLETED
 *     every step
 *     succeeded
 * </pre>
 *
 * <p>COMPLETED and COMPENSATED are ends: nothing leaves them. Every other status has a timer, so
 * that no saga is forgotten.
 */
public enum SagaStatus {
  RUNNING,
  COMPENSATING,
  COMPLETED,
  COMPENSATED,
  /** Kept by the tables already; no saga is given this status yet. */
  STUCK;

  /** Whether the saga is over, one way or the other. */
  public boolean isEnd() {
    return switch (this) {
      case COMPLETED, COMPENSATED -> true;
      case RUNNING, COMPENSATING, STUCK -> false;
    };
  }
}
