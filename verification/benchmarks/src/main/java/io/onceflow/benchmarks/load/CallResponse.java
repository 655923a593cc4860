package io.onceflow.benchmarks.load;

/**
 * The answer that a client got.
 *
 * @param status the HTTP status
 * @param isReplayed whether {@code Idempotent-Replayed: true} came with it
 * @param body the body, as text
 * @param nanos from sending, connecting included, to the body's last byte
 */
record CallResponse(int status, boolean isReplayed, String body, long nanos) {

  boolean isCreated() {
    return status == 201;
  }
}
