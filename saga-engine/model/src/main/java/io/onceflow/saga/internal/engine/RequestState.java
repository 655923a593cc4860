package io.onceflow.saga.internal.engine;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message of the saga and its reply: one exchange per step and one per compensation, however
 * often the message is sent.
 *
 * @param attempts how often it was sent because no reply came in time, the first time included:
 *     what the waits and {@code STUCK} depend on
 * @param repeats how often it was sent besides: by operators, and while its participant was waiting
 *     for an external event
 * @param firstSentAt when it was sent first, where it was resent since and that is known; null
 *     otherwise
 * @param sentAt when last; null before the first time
 * @param repliedAt when the reply that counts came; null until then
 * @param reply the hash of the last reply that was taken note of, whether it counts or not; null
 *     until then, and again once the message is resent: the reply to that may be the same
 * @param refusal what the last refusal of it said, where it may not be refused; null where there
 *     was none, and once it is answered
 */
public record RequestState(
    int attempts,
    int repeats,
    @Nullable Instant firstSentAt,
    @Nullable Instant sentAt,
    @Nullable Instant repliedAt,
    @Nullable String reply,
    @Nullable String refusal) {

  /** Nothing was sent yet. */
  public static final RequestState NONE = new RequestState(0, null, null);

  /** A reason is in the saga's row, which is written often; the history has all of it. */
  private static final int LONGEST_REFUSAL = 500;

  /** One that was sent because no reply came, and not besides. */
  public RequestState(int attempts, @Nullable Instant sentAt, @Nullable Instant repliedAt) {
    this(attempts, 0, null, sentAt, repliedAt, null, null);
  }

  /** How often it was sent in all. */
  public int sends() {
    return attempts + repeats;
  }

  /** When it was sent first; null before, and where that is not known. */
  public @Nullable Instant sentFirstAt() {
    return sends() == 1 ? sentAt : firstSentAt;
  }

  /** As if it were sent now. */
  RequestState begun(Instant now) {
    return new RequestState(attempts, repeats, null, now, repliedAt, reply, refusal);
  }

  RequestState sent(Instant now) {
    return new RequestState(attempts + 1, repeats, sentFirstAt(), now, null, null, refusal);
  }

  RequestState repeated(Instant now) {
    return new RequestState(attempts, repeats + 1, sentFirstAt(), now, null, null, refusal);
  }

  /** It was answered, or carried out without a message. */
  RequestState replied(Instant now, @Nullable String by) {
    return new RequestState(attempts, repeats, firstSentAt, sentAt, now, by, null);
  }

  /** A reply came that does not end the wait. */
  RequestState noted(String by) {
    return new RequestState(attempts, repeats, firstSentAt, sentAt, repliedAt, by, refusal);
  }

  /** It was refused, which it may not be. */
  RequestState refused(String by, String why) {
    String kept = why.length() <= LONGEST_REFUSAL ? why : why.substring(0, LONGEST_REFUSAL);
    return new RequestState(attempts, repeats, firstSentAt, sentAt, repliedAt, by, kept);
  }

  RequestState withoutMemory() {
    return new RequestState(attempts, repeats, firstSentAt, sentAt, repliedAt, null, null);
  }
}
