package io.onceflow.simulation;

import io.onceflow.order.saga.OrderKind;

/**
 * The rules of the protocol (docs/reference/protocol.md), to be taken out one at a time, and those
 * of limits and of sagas that start others (docs/guide/definitions.md), which have no number there.
 */
public enum Rule {
  /** Outbox rows are committed separately, even when the other rows are rolled back. */
  ONE_TRANSACTION(1),
  /** Messages are acknowledged as they arrive. */
  ACK_AFTER_COMMIT(2),
  /** Every published message counts as confirmed. */
  DELETE_AFTER_CONFIRM(3),
  /** An owner completes its step even after it has lost its lease. */
  FENCED_COMPLETION(4),
  /** Each attempt at a step has a different key. */
  SAME_STEP_SAME_KEY(5),
  /** Two orchestrators name one origin. */
  EACH_ORCHESTRATOR_ITS_ORIGIN(5),
  /** A compensation that finds no action leaves no tombstone. */
  A_COMPENSATION_NEVER_MISSES(6),
  /** A compensation takes a pending action for one that was refused. */
  PENDING_MEANS_UNKNOWN(6),
  /** A reply is taken as if its step were waiting for it. */
  ONLY_FORWARD(7),
  /** A step that was not answered in time counts as not done. */
  TIMEOUT_MEANS_UNKNOWN(8),
  /** The time in which a step may be pending does not end. */
  AWAITING_ENDS(8),
  /** A step times out when that time ends, without its participant being asked once more. */
  ASKED_ONCE_MORE(8),
  /** A compensation is sent once. */
  COMPENSATED_UNTIL_DONE(9),
  /** Cancelling does not look for the pivot. */
  PAST_THE_PIVOT_ONLY_FORWARD(10),
  /** Commands have no expiry time. */
  COMMANDS_EXPIRE(11),
  /** A repeated command is not answered. */
  A_COMPLETED_STEP_ANSWERS_AGAIN(12),
  /** A refusal ends a step that is sent until it is done. */
  CARRIED_OUT_UNTIL_DONE(12),
  /** A refusal ends no step: a repeated command is carried out again. */
  A_REFUSAL_IS_FINAL(12),
  /** What cannot be handled is acknowledged and forgotten. */
  NOTHING_IS_DROPPED(13),
  /** Ended steps are forgotten within minutes. */
  MEMORY_OUTLIVES_REPETITION(14),
  /** Two transactions count the places of one key at the same time. */
  PLACES_ARE_COUNTED_IN_TURN(OrderKind.LIMITED),
  /** The end of a saga gives its place to none. */
  A_PLACE_IS_GIVEN_ON(OrderKind.LIMITED),
  /** A saga that ends in the queue for a place in all keeps that of its key. */
  A_PLACE_IS_LEFT_IN_THE_QUEUE(OrderKind.LIMITED),
  /** A saga that is undone tells none of those that it has started. */
  A_CHILD_IS_UNDONE_AS_WELL(OrderKind.PARENTS);

  private final int number;
  private final OrderKind kind;

  Rule(int number) {
    this.number = number;
    this.kind = OrderKind.USUAL;
  }

  Rule(OrderKind kind) {
    this.number = 0;
    this.kind = kind;
  }

  /** Its number in the protocol; 0 where it has none there. */
  public int number() {
    return number;
  }

  /** The seed of this rank among those of worlds in which it counts. */
  long seed(long rank) {
    return kind.seed(rank);
  }
}
