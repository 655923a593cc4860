package io.onceflow.inbox.internal.call;

import io.onceflow.inbox.internal.InboxConfig;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongUnaryOperator;

/** How long a step rests before its next attempt: doubling, capped, with jitter. */
public final class CallBackoff {

  /** An action usually ends within one call; looking again much sooner only costs statements. */
  private static final Duration FIRST_WAIT = Duration.ofMillis(100);

  private static final Duration UNTIL_CALLED = Duration.ofSeconds(1);

  private static final int MOST_DOUBLINGS = 20;

  private final InboxConfig.CallOut config;

  private final LongUnaryOperator random;

  public CallBackoff(InboxConfig.CallOut config) {
    this(config, bound -> ThreadLocalRandom.current().nextLong(bound));
  }

  /**
   * @param random draws from zero up to a bound, which it excludes
   */
  public CallBackoff(InboxConfig.CallOut config, LongUnaryOperator random) {
    this.config = config;
    this.random = random;
  }

  /** After attempt number {@code attempts} failed. */
  public Duration afterFailure(int attempts) {
    return doubled(config.firstBackoff(), attempts);
  }

  /** While a compensation waits for its running action. */
  public Duration whileWaiting(int attempts) {
    return doubled(FIRST_WAIT, attempts);
  }

  /** Before a call is tried that was not made: circuits close again within seconds. */
  public Duration untilCalled() {
    return lessAFifth(UNTIL_CALLED.toMillis());
  }

  private Duration doubled(Duration first, int attempts) {
    long millis = first.toMillis() << Math.min(Math.max(attempts - 1, 0), MOST_DOUBLINGS);
    long capped = Math.min(millis, config.longestBackoff().toMillis());
    return lessAFifth(capped);
  }

  /** Up to a fifth less, so that steps that failed together do not come back together. */
  private Duration lessAFifth(long millis) {
    return Duration.ofMillis(millis - random.applyAsLong(millis / 5 + 1));
  }
}
