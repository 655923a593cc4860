package io.onceflow.saga;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How often a step's command is sent while no reply comes, and how far apart: {@code
 * retry(attempts(20).backoff(ofMinutes(1), ofHours(6)))}.
 *
 * @param attempts how often it is sent before the step times out, from 1 on
 * @param firstWait how long the first attempt's reply is waited for, doubled with each attempt;
 *     null where the step's {@link Step.Send#replyWithin()} is
 * @param longestWait what that grows to; null for five minutes
 */
public record Retry(int attempts, @Nullable Duration firstWait, @Nullable Duration longestWait) {

  /** This many attempts, with the waits that a step has by default. */
  public static Retry attempts(int most) {
    return new Retry(most, null, null);
  }

  /**
   * The same number of attempts with other waits.
   *
   * @param first after the first attempt; positive, doubled with each further one
   * @param longest at least the first
   */
  public Retry backoff(Duration first, Duration longest) {
    return new Retry(attempts, first, longest);
  }
}
