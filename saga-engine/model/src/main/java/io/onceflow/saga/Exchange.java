package io.onceflow.saga;

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
public record Exchange(int attempts, @Nullable Instant sentAt, @Nullable Instant repliedAt) {

  /** Nothing was sent yet. */
  public static final Exchange NONE = new Exchange(0, null, null);

  Exchange sent(Instant now) {
    return new Exchange(attempts + 1, now, null);
  }

  Exchange replied(Instant now) {
    return new Exchange(attempts, sentAt, now);
  }
}
