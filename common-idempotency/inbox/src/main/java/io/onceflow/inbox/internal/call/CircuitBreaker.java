package io.onceflow.inbox.internal.call;

import io.onceflow.inbox.internal.InboxConfig;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Stops calls while most of them fail: they would only use up their attempts. After a pause one
 * call is made as a trial; its answer closes the circuit. If it fails, the next trial is another
 * scope's, if others wait.
 *
 * <p>Not thread-safe.
 */
final class CircuitBreaker {

  private static final Logger LOG = Logger.getLogger(CircuitBreaker.class);

  private final String calls;
  private final InboxConfig.CallOut.Circuit config;
  private final LongSupplier ticker;

  /**
   * Of the latest calls, oldest overwritten first: the scope of each that failed, null for one that
   * was answered.
   */
  private final @Nullable String[] failed;

  private int oldest;
  private boolean isFull;
  private State state = State.CLOSED;
  private long openedAt;
  private long askedAt;

  /** Whose trial was the latest. */
  private @Nullable String tried;

  /** Whether a call of another scope has been refused since then. */
  private boolean isOthersTurn;

  private enum State {
    /** Calls are made. */
    CLOSED,
    /** No calls are made. */
    OPEN,
    /** One call is under way, and no other is made until it has ended. */
    TRIAL
  }

  /** What a call says about the other system. */
  enum Result {
    /** There was an answer, even if it is a refusal. */
    ANSWERED,
    FAILED,
    /** It says nothing about the other system. */
    UNKNOWN
  }

  /** Allows one call; to be given back with its result. */
  record Permit(boolean isTrial) {}

  /**
   * @param calls which calls are counted, for logs
   * @param ticker nanoseconds of a clock that never goes backward
   */
  CircuitBreaker(String calls, InboxConfig.CallOut.Circuit config, LongSupplier ticker) {
    this.calls = calls;
    this.config = config;
    this.ticker = ticker;
    this.failed = new String[config.window()];
  }

  /** Allows a call; null if none is to be made. */
  @Nullable Permit enter(String scope) {
    askedAt = ticker.getAsLong();
    if (state == State.CLOSED) {
      return new Permit(false);
    }
    if (state == State.OPEN && ticker.getAsLong() - openedAt >= pause(scope)) {
      state = State.TRIAL;
      tried = scope;
      isOthersTurn = false;
      return new Permit(true);
    }
    isOthersTurn |= !scope.equals(tried);
    return null;
  }

  /** A scope whose trial has failed lets others that wait go before it, for a pause more. */
  private long pause(String scope) {
    return config.pause().toNanos() * (isOthersTurn && scope.equals(tried) ? 2 : 1);
  }

  /** Ends a call. */
  void leave(String scope, Permit permit, Result result) {
    if (permit.isTrial()) {
      endTrial(scope, result);
    } else if (state == State.CLOSED && result != Result.UNKNOWN) {
      count(scope, result);
      openIfMostFailed();
    }
  }

  boolean isOpen() {
    return state != State.CLOSED;
  }

  /** Whether a call was to be made not longer ago than this. */
  boolean isAskedWithin(Duration lately) {
    return ticker.getAsLong() - askedAt <= lately.toNanos();
  }

  /** How many of the latest calls failed that were of this scope. */
  int failuresOf(String scope) {
    return (int) Stream.of(failed).filter(scope::equals).count();
  }

  private void endTrial(String scope, Result result) {
    switch (result) {
      case ANSWERED -> close();
      case FAILED -> {
        count(scope, result);
        open();
      }
      case UNKNOWN -> {
        state = State.OPEN; // since long enough: the next call is the trial
        tried = null;
      }
    }
  }

  private void count(String scope, Result result) {
    failed[oldest] = result == Result.FAILED ? scope : null;
    oldest = (oldest + 1) % failed.length;
    isFull |= oldest == 0;
  }

  private void openIfMostFailed() {
    long failures = Stream.of(failed).filter(Objects::nonNull).count();
    if (isFull && failures >= config.failureRatio() * failed.length) {
      LOG.warnf(
          "%s of the last %s calls for %s failed; none is made for %s",
          failures, failed.length, calls, config.pause());
      open();
    }
  }

  private void open() {
    state = State.OPEN;
    openedAt = ticker.getAsLong();
  }

  private void close() {
    LOG.infof("a call for %s was answered; calls are made again", calls);
    state = State.CLOSED;
    tried = null;
    oldest = 0;
    isFull = false;
    Arrays.fill(failed, null);
  }
}
