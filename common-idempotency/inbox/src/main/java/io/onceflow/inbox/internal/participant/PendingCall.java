package io.onceflow.inbox.internal.participant;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.participant.Answer;
import java.util.List;
import java.util.Objects;

/**
 * A step taken on in a transaction, to be called out for once that has committed.
 *
 * @param leased the command and its lease
 * @param call what to call
 * @param seen the subject's rows as the handler saw them; empty if that does not matter
 */
public record PendingCall(LeasedCommand leased, Answer.Call call, List<Object> seen) {

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

  /**
   * Calls, and returns a reply, or that the step is pending. No transaction is open. It may be
   * interrupted at its deadline, and it may be made again, by this process or another: the other
   * system recognizes it by its key.
   *
   * @throws Exception when the result is unknown; the call is made again
   */
  public Answer make() throws Exception {
    Answer answer = call;
    while (answer instanceof Answer.Call next) {
      answer =
          Objects.requireNonNull(
              next.call().call(), () -> leased.command() + " called out and returned no answer");
    }
    return answer;
  }

  /** Keeps its message with the broker, if that is not stored, until the result is committed. */
  void hold() {
    Delivery held = leased.held();
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
