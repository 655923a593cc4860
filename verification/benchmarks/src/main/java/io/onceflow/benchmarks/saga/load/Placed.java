package io.onceflow.benchmarks.saga.load;

/**
 * The answer that a client got.
 *
 * @param status the HTTP status
 * @param isReplayed whether {@code Idempotent-Replayed: true} came with it
 * @param order its id; empty if there is none
 * @param problem the body, unless all went well
 */
record Placed(int status, boolean isReplayed, String order, String problem) {

  static final int CREATED = 201;

  boolean isNew() {
    return status == CREATED && !isReplayed;
  }

  /** Turned away at admission. */
  boolean isShed() {
    return status == 503 && problem.contains("/problems/overloaded");
  }

  boolean isRepeat() {
    return status == CREATED && isReplayed;
  }
}
