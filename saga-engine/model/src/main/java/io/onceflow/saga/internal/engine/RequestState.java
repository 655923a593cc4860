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
 *     for the world
 * @param sentAt when last; null before the first time
 * @param repliedAt when the reply that counts came; null until then
 */
public record RequestState(
    int attempts, int repeats, @Nullable Instant sentAt, @Nullable Instant repliedAt) {

  /** Nothing was sent yet. */
  public static final RequestState NONE = new RequestState(0, null, null);

  /** One that was sent because no reply came, and not besides. */
  public RequestState(int attempts, @Nullable Instant sentAt, @Nullable Instant repliedAt) {
    this(attempts, 0, sentAt, repliedAt);
  }

  /** How often it was sent in all. */
  public int sends() {
    return attempts + repeats;
  }

  RequestState sent(Instant now) {
    return new RequestState(attempts + 1, repeats, now, null);
  }

  RequestState repeated(Instant now) {
    return new RequestState(attempts, repeats + 1, now, null);
  }

  RequestState replied(Instant now) {
    return new RequestState(attempts, repeats, sentAt, now);
  }
}
