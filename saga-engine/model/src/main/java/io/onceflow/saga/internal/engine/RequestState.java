package io.onceflow.saga.internal.engine;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message of the saga and its reply: one exchange per step and one per compensation, however
 * often the message is sent.
 *
 * @param attempts how often it was sent
 * @param sentAt when last; null before the first time
 * @param repliedAt when the reply that counts came; null until then
 */
public record RequestState(int attempts, @Nullable Instant sentAt, @Nullable Instant repliedAt) {

  /** Nothing was sent yet. */
  public static final RequestState NONE = new RequestState(0, null, null);

  RequestState sent(Instant now) {
    return new RequestState(attempts + 1, now, null);
  }

  RequestState replied(Instant now) {
    return new RequestState(attempts, sentAt, now);
  }
}
