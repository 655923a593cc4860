package io.onceflow.inbox;

import java.time.Duration;

/**
 * The inbox's configuration for tests; without arguments, what it is by default.
 *
 * @param batchSize messages to a transaction
 * @param lease how long a step is its owner's
 * @param concurrency calls at once
 * @param deadline of a call
 * @param firstBackoff after a failed call
 * @param longestBackoff between two attempts
 * @param attempts calls made for one action at most
 */
record TestInboxConfig(
    int batchSize,
    Duration lease,
    int concurrency,
    Duration deadline,
    Duration firstBackoff,
    Duration longestBackoff,
    int attempts)
    implements InboxConfig {

  TestInboxConfig() {
    this(
        128,
        Duration.ofSeconds(20),
        16,
        Duration.ofSeconds(6),
        Duration.ofMillis(250),
        Duration.ofSeconds(30),
        6);
  }

  TestInboxConfig withLease(Duration other) {
    return new TestInboxConfig(
        batchSize, other, concurrency, deadline, firstBackoff, longestBackoff, attempts);
  }

  TestInboxConfig withDeadline(Duration other) {
    return new TestInboxConfig(
        batchSize, lease, concurrency, other, firstBackoff, longestBackoff, attempts);
  }

  TestInboxConfig withBackoff(Duration first, Duration longest) {
    return new TestInboxConfig(batchSize, lease, concurrency, deadline, first, longest, attempts);
  }

  TestInboxConfig withConcurrency(int other) {
    return new TestInboxConfig(
        batchSize, lease, other, deadline, firstBackoff, longestBackoff, attempts);
  }

  TestInboxConfig withAttempts(int most) {
    return new TestInboxConfig(
        batchSize, lease, concurrency, deadline, firstBackoff, longestBackoff, most);
  }

  @Override
  public Duration recoveryInterval() {
    return Duration.ofMillis(500);
  }

  @Override
  public Duration retention() {
    return Duration.ofDays(30);
  }

  @Override
  public Duration sagaDeadline() {
    return Duration.ofDays(7);
  }

  @Override
  public Duration longestRedriveAge() {
    return Duration.ofDays(14);
  }

  @Override
  public Handling handling() {
    return handling(Duration.ofSeconds(2));
  }

  /** As by default, with pauses of this length. */
  static Handling handling(Duration pause) {
    return new Handling() {
      @Override
      public int attempts() {
        return 5;
      }

      @Override
      public Duration firstBackoff() {
        return pause;
      }

      @Override
      public Duration longestBackoff() {
        return pause;
      }
    };
  }

  @Override
  public CallOut callOut() {
    TestInboxConfig all = this;
    return new CallOut() {
      @Override
      public int concurrency() {
        return all.concurrency();
      }

      /** None, so that whoever is one too many holds the intake back. */
      @Override
      public int waiting() {
        return 0;
      }

      @Override
      public Duration deadline() {
        return all.deadline();
      }

      @Override
      public int attempts() {
        return all.attempts();
      }

      @Override
      public Duration firstBackoff() {
        return all.firstBackoff();
      }

      @Override
      public Duration longestBackoff() {
        return all.longestBackoff();
      }
    };
  }
}
