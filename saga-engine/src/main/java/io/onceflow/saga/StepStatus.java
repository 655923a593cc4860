package io.onceflow.saga;

/**
 * Where a step stands.
 *
 * <pre>
 *             sent              done               undo sent                undone
 *   PENDING ------> WAITING ---------> SUCCEEDED -----------> COMPENSATING -------> COMPENSATED
 *      |            |     ^                ^                  |          ^
 *      |            |  +--+ sent again     |                  +----------+ sent again
 *      |            |                      |
 *      |            +-------> REFUSED      |
 *      +-----------------------------------+
 *                run locally
 * </pre>
 *
 * <p>A refused step has done nothing, so it is not compensated. A step that succeeded and has no
 * compensation stays SUCCEEDED while those around it are undone.
 */
public enum StepStatus {
  /** Not reached yet. */
  PENDING,
  /** Sent, and no reply yet: it may or may not have taken effect. */
  WAITING,
  SUCCEEDED,
  REFUSED,
  /** Its compensation was sent, and no reply yet. */
  COMPENSATING,
  COMPENSATED
}
