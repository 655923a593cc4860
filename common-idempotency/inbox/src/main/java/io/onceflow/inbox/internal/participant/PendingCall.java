package io.onceflow.inbox.internal.participant;

import io.onceflow.inbox.internal.consumer.Delivery;

/**
 * A step taken on in a transaction, to be called out for once that has committed.
 *
 * @param leased the command and its lease
 * @param call what to call
 * @param <S> the business row
 */
public record PendingCall<S>(LeasedCommand<S> leased, Decision.Call<S> call) {

  /** Envelope, keys and inbox row without payloads. */
  private static final int BYTES_WITHOUT_PAYLOAD = 2048;

  /** The payload is here as text, as what the handler reads, and in the row's envelope. */
  private static final int BYTES_PER_CHARACTER = 4;

  /** The command's type, which has a lane. */
  public String type() {
    return leased.command().handler().type();
  }

  /** Whose step it is; the scopes share the lane. */
  public String scope() {
    return leased.command().message().scope();
  }

  /** Keeps its message with the broker, if that is not stored, until the result is committed. */
  void hold() {
    Delivery held = leased.delivery();
    if (held != null) {
      held.hold();
    }
  }

  /** How much memory it takes up, about. */
  public long bytes() {
    long characters = leased.command().message().payload().length();
    return BYTES_WITHOUT_PAYLOAD + BYTES_PER_CHARACTER * characters;
  }
}
