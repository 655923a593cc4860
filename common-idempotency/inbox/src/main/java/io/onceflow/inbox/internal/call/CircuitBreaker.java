package io.onceflow.inbox.internal.call;

import io.onceflow.inbox.internal.InboxConfig;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Stops the calls of one type of command while most of them fail: they would only use up their
 * attempts. After a pause one call is made as a trial; its answer closes the circuit.
 */
final class CircuitBreaker {

  private static final Logger LOG = Logger.getLogger(CircuitBreaker.class);

  private final String type;
  private final InboxConfig.CallOut.Circuit config;
  private final LongSupplier ticker;

  /** Of the latest calls, oldest overwritten first: whether each failed. */
  private final boolean[] failed;

  private int made;
  private int failures;
  private State state = State.CLOSED;
  private long openedAt;

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
   * @param type of the commands whose calls are counted
   * @param ticker nanoseconds of a clock that never goes backward
   */
  CircuitBreaker(String type, InboxConfig.CallOut.Circuit config, LongSupplier ticker) {
    this.type = type;
    this.config = config;
    this.ticker = ticker;
    this.failed = new boolean[config.window()];
  }

  /**
   * Makes a call if one is allowed. Its permit is given back however it ends.
   *
   * @param result what the returned value says; a call that throws says nothing
   * @return empty if no call is allowed
   */
  <T> Optional<T> call(Supplier<T> call, Function<T, Result> result) {
    Permit permit = enter();
    if (permit == null) {
      return Optional.empty();
    }
    Result of = Result.UNKNOWN;
    try {
      T returned = call.get();
      of = result.apply(returned);
      return Optional.of(returned);
    } finally {
      leave(permit, of);
    }
  }

  /** Allows a call; null if none is to be made. */
  synchronized @Nullable Permit enter() {
    if (state == State.CLOSED) {
      return new Permit(false);
    }
    if (state == State.OPEN && ticker.getAsLong() - openedAt >= config.pause().toNanos()) {
      state = State.TRIAL;
      return new Permit(true);
    }
    return null;
  }

  /** Ends a call. */
  synchronized void leave(Permit permit, Result result) {
    if (permit.isTrial()) {
      endTrial(result);
    } else if (state == State.CLOSED && result != Result.UNKNOWN) {
      count(result == Result.FAILED);
    }
  }

  synchronized boolean isOpen() {
    return state != State.CLOSED;
  }

  private void endTrial(Result result) {
    switch (result) {
      case ANSWERED -> close();
      case FAILED -> open();
      case UNKNOWN -> state = State.OPEN; // since long enough: the next call is the trial
    }
  }

  private void count(boolean hasFailed) {
    int oldest = made % failed.length;
    failures += (hasFailed ? 1 : 0) - (failed[oldest] ? 1 : 0);
    failed[oldest] = hasFailed;
    made++;
    if (made >= failed.length && failures >= config.failureRatio() * failed.length) {
      LOG.warnf(
          "%d of the last %d calls for %s failed; none is made for %s",
          failures, failed.length, type, config.pause());
      open();
    }
  }

  private void open() {
    state = State.OPEN;
    openedAt = ticker.getAsLong();
  }

  private void close() {
    LOG.infof("a call for %s was answered; calls are made again", type);
    state = State.CLOSED;
    made = 0;
    failures = 0;
    Arrays.fill(failed, false);
  }
}
