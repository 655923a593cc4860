package io.onceflow.saga.internal.engine;

import static java.util.Objects.requireNonNullElse;

import io.onceflow.saga.Step;
import io.onceflow.saga.internal.Jitter;
import io.onceflow.saga.internal.RetryPolicy;
import java.time.Duration;
import java.util.UUID;

/**
 * How long to wait for a reply before sending the same message again: the step's own deadline, then
 * twice that, then twice again, up to a cap.
 */
public final class ReplyBackoff {

  /**
   * Doubling reaches the cap from ten seconds in five attempts: soon enough to spare a participant
   * that is down, late enough to ride out a restart.
   */
  private static final int FACTOR = 2;

  /**
   * Enough to spread the sagas that waited together over some seconds, and never less than what the
   * deadline promises, since it only adds.
   */
  private static final double SPREAD = 0.2;

  /** Most steps that wait for an external event are over before. */
  private static final Duration FIRST_ASK = Duration.ofMinutes(10);

  /** Over two days, fifteen messages for each saga. */
  private static final Duration LONGEST_ASK = Duration.ofHours(4);

  /** Beyond {@link #LONGEST_ASK}. */
  private static final int MOST_DOUBLINGS = 10;

  private final Jitter jitter;
  private final RetryPolicy policy;

  /** The default policy. */
  public ReplyBackoff(Jitter jitter) {
    this(jitter, RetryPolicy.DEFAULT);
  }

  public ReplyBackoff(Jitter jitter, RetryPolicy policy) {
    this.jitter = jitter;
    this.policy = policy;
  }

  /**
   * How long to wait after an attempt at a message that may time out.
   *
   * @param name the step or compensation that is sent
   * @param attempt from 1 on
   * @param step whose reply deadline is waited for at least
   */
  Duration wait(UUID saga, String name, int attempt, Step.Send<?> step) {
    return spread(doubled(attempt - 1, step), saga, name, attempt);
  }

  /** How long to wait for the replies to all attempts, one after the other. */
  Duration waits(UUID saga, Step.Send<?> step) {
    Duration all = Duration.ZERO;
    for (int attempt = 1; attempt <= step.attempts(); attempt++) {
      all = all.plus(wait(saga, step.name(), attempt, step));
    }
    return all;
  }

  /** As {@link #wait}, for a message that is sent until it is answered. */
  Duration patientWait(UUID saga, String name, int attempt, Step.Send<?> step) {
    return isStuckAfter(attempt)
        ? spread(policy.stuckWait(), saga, name, attempt)
        : wait(saga, name, attempt, step);
  }

  /** As {@link #patientWait}, for a saga that is told to be undone: its end comes by itself. */
  Duration untilToldAgain(UUID saga, String name, int attempt) {
    Duration wait =
        isStuckAfter(attempt)
            ? policy.stuckWait()
            : doubled(attempt - 1, Step.Send.DEFAULT_REPLY_WITHIN, policy.longestWait());
    return spread(wait, saga, name, attempt);
  }

  /**
   * How long to wait before a participant that waits for an external event is asked the outcome of
   * the step.
   *
   * @param repeats how often it was asked
   */
  Duration ask(UUID saga, String name, int repeats) {
    Duration wait = FIRST_ASK.multipliedBy(1L << Math.min(repeats, MOST_DOUBLINGS));
    return spread(wait.compareTo(LONGEST_ASK) < 0 ? wait : LONGEST_ASK, saga, name, repeats);
  }

  /** Whether so many attempts at a message that must be answered are too many. */
  boolean isStuckAfter(int attempts) {
    return attempts > policy.stuckAfter();
  }

  private Duration spread(Duration wait, UUID saga, String name, int attempt) {
    double extra = SPREAD * jitter.share(saga, name, attempt);
    return wait.plusMillis((long) (wait.toMillis() * extra));
  }

  private Duration doubled(int times, Step.Send<?> step) {
    Duration replyWithin = step.replyWithin();
    Duration first = requireNonNullElse(step.retry().firstWait(), replyWithin);
    Duration longest = requireNonNullElse(step.retry().longestWait(), policy.longestWait());
    Duration capped = doubled(times, first, longest);
    return capped.compareTo(replyWithin) < 0 ? replyWithin : capped;
  }

  private static Duration doubled(int times, Duration first, Duration longest) {
    Duration wait = first;
    for (int i = 0; i < times && wait.compareTo(longest) < 0; i++) {
      wait = wait.multipliedBy(FACTOR);
    }
    boolean patient = first.compareTo(longest) >= 0;
    return patient || wait.compareTo(longest) < 0 ? wait : longest;
  }
}
