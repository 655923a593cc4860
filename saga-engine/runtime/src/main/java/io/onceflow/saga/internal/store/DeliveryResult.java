package io.onceflow.saga.internal.store;

/** The outcome of a delivered reply. */
public record DeliveryResult(DeliveredReply reply, Outcome outcome) {

  /** What a delivery can come to. */
  public enum Outcome {
    /** The saga was moved by it. */
    MOVED,
    /** The saga did not wait for this reply. Its history records that; nothing else changed. */
    IGNORED,
    /** There is no such saga; nothing was written. The message is to be parked. */
    UNKNOWN_SAGA,
    /**
     * The saga follows a definition or a version that this runner does not have; nothing was
     * written. The message is for another runner, or for another version of the service.
     */
    UNKNOWN_DEFINITION
  }
}
