package io.onceflow.inbox.internal.parking;

/** Why a message was kept aside (rule 13). The words are stored and shown to operators. */
public enum ParkingReason {
  /** Its payload is not JSON, or not the JSON that its type promises. */
  MALFORMED("malformed"),
  /** There is no handler for its type. */
  UNKNOWN_TYPE("unknown-type"),
  /**
   * The same, of a command: a replica of another version may know it. It is deferred for a day, and
   * taken by the first replica that knows its type.
   */
  UNKNOWN_COMMAND("unknown-type", true),
  /** Its payload has a shape newer than this service knows. */
  UNSUPPORTED_VERSION("unsupported-version"),
  /** It carries no root key, no scope, or a malformed one. */
  NO_IDEMPOTENCY_KEY("no-idempotency-key"),
  /** Its step key was used before with another payload. */
  FINGERPRINT_MISMATCH("fingerprint-mismatch"),
  /** It answers a saga that does not exist here, or whose commit is not visible yet. */
  UNKNOWN_SAGA("unknown-saga", true),
  /**
   * It does not fit the saga that it names: another service sent it, or it tells of another step,
   * key, order or amount. It may be forged.
   */
  REPLY_MISMATCH("reply-mismatch"),
  /** This replica does not know its saga's definition, or its type; another replica may. */
  DEFERRED("deferred"),
  /** No replica knew its saga's definition, or its type, for as long as it was deferred. */
  DEFERRED_TOO_LONG("deferred-too-long"),
  /** It is larger than this service takes; only its beginning is kept. */
  TOO_LARGE("too-large"),
  /**
   * It was delivered too often and never acknowledged. Most often the processes were at fault that
   * received it, so it is retried.
   */
  DELIVERY_LIMIT("delivery-limit", true),
  /** The broker moved it aside for another reason, which its detail says. */
  DEAD_LETTERED("dead-lettered", true),
  /** Handling it failed for a reason that is not the database's absence. */
  HANDLING_FAILED("handling-failed", true);

  private final String word;
  private final boolean isTriedAgain;

  ParkingReason(String word) {
    this(word, false);
  }

  ParkingReason(String word, boolean isTriedAgain) {
    this.word = word;
    this.isTriedAgain = isTriedAgain;
  }

  /**
   * Whether {@link FailedMessages} handles it again without an operator, since it may succeed the
   * next time.
   */
  boolean isTriedAgain() {
    return isTriedAgain;
  }

  /** The stable word for it. */
  public String word() {
    return word;
  }
}
