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
 * @param sentAt when last; null before the first time
 * @param repliedAt when the reply that counts came; null until then
 * @param reply the hash of the last reply that was taken note of, whether it counts or not; null
 *     until then, and again once the message is resent: the reply to that may be the same
 */
public record RequestState(
    int attempts,
    int repeats,
    @Nullable Instant sentAt,
    @Nullable Instant repliedAt,
    @Nullable String reply) {

  /** Nothing was sent yet. */
  public static final RequestState NONE = new RequestState(0, null, null);

  /** One that was sent because no reply came, and not besides. */
  public RequestState(int attempts, @Nullable Instant sentAt, @Nullable Instant repliedAt) {
    this(attempts, 0, sentAt, repliedAt, null);
  }

  /** How often it was sent in all. */
  public int sends() {
    return attempts + repeats;
  }

  /** As if it were sent now. */
  RequestState begun(Instant now) {
    return new RequestState(attempts, repeats, now, repliedAt, reply);
  }

  RequestState sent(Instant now) {
    return new RequestState(attempts + 1, repeats, now, null, null);
  }

  RequestState repeated(Instant now) {
    return new RequestState(attempts, repeats + 1, now, null, null);
  }

  /** It was answered, or carried out without a message. */
  RequestState replied(Instant now, @Nullable String by) {
    return new RequestState(attempts, repeats, sentAt, now, by);
  }

  /** A reply came that does not end the wait. */
  RequestState noted(String by) {
    return new RequestState(attempts, repeats, sentAt, repliedAt, by);
  }

  RequestState withoutMemory() {
    return new RequestState(attempts, repeats, sentAt, repliedAt, null);
  }
}
