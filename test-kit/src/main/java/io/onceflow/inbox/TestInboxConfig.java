package io.onceflow.inbox;

import io.onceflow.inbox.internal.InboxConfig;
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
public record TestInboxConfig(
    int batchSize,
    Duration lease,
    int concurrency,
    int roomToWait,
    Duration deadline,
    Duration firstBackoff,
    Duration longestBackoff,
    int attempts,
    Duration stopWithin)
    implements InboxConfig {

  /** Calls of tests often last until they are interrupted. */
  private static final Duration STOPS_SOON = Duration.ofMillis(100);

  private static final int ROOM_TO_WAIT = 128;

  public TestInboxConfig() {
    this(
        128,
        Duration.ofSeconds(20),
        16,
        ROOM_TO_WAIT,
        Duration.ofSeconds(5),
        Duration.ofMillis(250),
        Duration.ofSeconds(30),
        6,
        STOPS_SOON);
  }

  TestInboxConfig withLease(Duration other) {
    return new TestInboxConfig(
        batchSize,
        other,
        concurrency,
        roomToWait,
        deadline,
        firstBackoff,
        longestBackoff,
        attempts,
        stopWithin);
  }

  TestInboxConfig withDeadline(Duration other) {
    return new TestInboxConfig(
        batchSize,
        lease,
        concurrency,
        roomToWait,
        other,
        firstBackoff,
        longestBackoff,
        attempts,
        stopWithin);
  }

  public TestInboxConfig withBackoff(Duration first, Duration longest) {
    return new TestInboxConfig(
        batchSize, lease, concurrency, roomToWait, deadline, first, longest, attempts, stopWithin);
  }

  public TestInboxConfig withConcurrency(int other) {
    return new TestInboxConfig(
        batchSize,
        lease,
        other,
        roomToWait,
        deadline,
        firstBackoff,
        longestBackoff,
        attempts,
        stopWithin);
  }

  public TestInboxConfig withRoomToWait(int other) {
    return new TestInboxConfig(
        batchSize,
        lease,
        concurrency,
        other,
        deadline,
        firstBackoff,
        longestBackoff,
        attempts,
        stopWithin);
  }

  public TestInboxConfig withAttempts(int most) {
    return new TestInboxConfig(
        batchSize,
        lease,
        concurrency,
        roomToWait,
        deadline,
        firstBackoff,
        longestBackoff,
        most,
        stopWithin);
  }

  public TestInboxConfig stoppingWithin(Duration other) {
    return new TestInboxConfig(
        batchSize,
        lease,
        concurrency,
        roomToWait,
        deadline,
        firstBackoff,
        longestBackoff,
        attempts,
        other);
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
  public static Handling handling(Duration pause) {
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

      @Override
      public int waiting() {
        return all.roomToWait();
      }

      @Override
      public boolean sharedFairly() {
        return true;
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
      public Duration stopWithin() {
        return all.stopWithin();
      }

      @Override
      public Duration firstBackoff() {
        return all.firstBackoff();
      }

      @Override
      public Duration longestBackoff() {
        return all.longestBackoff();
      }

      @Override
      public Circuit circuit() {
        return TestInboxConfig.circuit(40, Duration.ofSeconds(2));
      }
    };
  }

  /** One that opens when three quarters of so many calls have failed. */
  static CallOut.Circuit circuit(int window, Duration pause) {
    return new CallOut.Circuit() {
      @Override
      public int window() {
        return window;
      }

      @Override
      public double failureRatio() {
        return 0.75;
      }

      @Override
      public Duration pause() {
        return pause;
      }
    };
  }
}
