package io.onceflow.saga;

import static java.time.Duration.ofMinutes;

import java.time.Duration;
import java.util.UUID;

/**
 * How long to wait for a reply before sending the same message again: the step's own deadline, then
 * twice that, then twice again, up to a cap.
 */
public final class Backoff {

  /**
   * Doubling reaches the cap from ten seconds in five attempts: soon enough to spare a participant
   * that is down, late enough to ride out a restart.
   */
  private static final int FACTOR = 2;

  /**
   * A participant that was away for hours is heard of within this time; at one message per saga in
   * five minutes, ten thousand waiting sagas cost 33 messages a second.
   */
  static final Duration LONGEST_WAIT = ofMinutes(5);

  /**
   * Enough to spread the sagas that waited together over some seconds, and never less than what the
   * deadline promises, since it only adds.
   */
  private static final double SPREAD = 0.2;

  private final Jitter jitter;

  public Backoff(Jitter jitter) {
    this.jitter = jitter;
  }

  /**
   * How long to wait after an attempt.
   *
   * @param name the step or compensation that is sent
   * @param attempt from 1 on
   * @param replyWithin the step's deadline, which is waited for at least
   */
  Duration wait(UUID saga, String name, int attempt, Duration replyWithin) {
    Duration wait = doubled(attempt - 1, replyWithin);
    double extra = SPREAD * jitter.share(saga, name, attempt);
    return wait.plusMillis((long) (wait.toMillis() * extra));
  }

  private static Duration doubled(int times, Duration replyWithin) {
    Duration wait = replyWithin;
    for (int i = 0; i < times && wait.compareTo(LONGEST_WAIT) < 0; i++) {
      wait = wait.multipliedBy(FACTOR);
    }
    boolean patient = replyWithin.compareTo(LONGEST_WAIT) >= 0;
    return patient || wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
  }
}
