package io.onceflow.saga.internal.engine;

/**
 * The status of a step.
 *
 * <pre>
 *             sent              done               undo sent                undone
 *   PENDING ------> WAITING ---------> SUCCEEDED -----------> COMPENSATING -------> COMPENSATED
 *      |            |  |  ^                ^                  ^  |      ^
 *      |            |  |  +- sent again    |                  |  +------+ sent again
 *      |            |  |                   |                  |
 *      |            |  +--> GIVEN_UP ------+------------------+
 *      |            |                      |      undo sent
 *      |            +-----> REFUSED        |
 *      +-----------------------------------+
 *                run locally
 *
 *             pending
 *   WAITING ----------> AWAITING ---> SUCCEEDED, REFUSED or GIVEN_UP, as from WAITING
 *      ^                   |
 *      +-------------------+ asked again: its time is over, and it may not be given up on
 * </pre>
 *
 * <p>Where it may be given up on, the participant is asked once more first, and the step stays
 * AWAITING until that answer is due.
 *
 * <p>A refused step has done nothing, so it is not compensated. One that was given up on may have
 * been done, so it is. A step that has no compensation stays as it is while those around it are
 * undone.
 */
public enum StepStatus {
  /** Not reached yet. */
  PENDING,
  /** Sent, and no reply yet: it may or may not have taken effect. */
  WAITING,
  /**
   * The participant has begun it and waits for the world: it is asked at growing distances what
   * became of it, and not given up on until the time of its {@link io.onceflow.saga.Step.Await} is
   * over. Then its participant is asked once more, and it is given up on when that does not tell
   * what became of it.
   */
  AWAITING,
  SUCCEEDED,
  REFUSED,
  /** No answer with its outcome came in time: it may have taken effect. */
  GIVEN_UP,
  /** Its compensation was sent, and no reply yet. */
  COMPENSATING,
  COMPENSATED
}
