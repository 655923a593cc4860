package io.onceflow.inbox.internal.call;

import io.onceflow.inbox.internal.InboxConfig;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How many calls of a lane may be under way at once: as many as the other system answers without a
 * long queue of its own. TCP Vegas, applied to the median time of the calls of a window: if it is
 * {@code r} times the shortest such time, then of {@code n} calls {@code n * (1 - 1/r)} wait over
 * there.
 *
 * <ul>
 *   <li>The limit grows only while calls wait for a turn, and while those that are answered fill a
 *       good part of the turns: calls that hang are no reason to make more of them.
 *   <li>It grows by a half while up to a sixth of the calls wait over there, and by a tenth up to a
 *       third. From a half on, or if many calls of a window fail, it is cut by a fifth; if none is
 *       answered, to the lower bound.
 *   <li>At the lower bound nothing waits over there by definition: where the limit would fall below
 *       it, or stay there although calls wait here, the time without a queue is measured again. So
 *       the limit grows again after the other system has become slower for good.
 *   <li>The calls of a window of which many fail are no measure of that time.
 * </ul>
 *
 * <p>Not thread-safe.
 */
final class ConcurrencyLimit {

  /** Medians of fewer calls differ too much from one another. */
  private static final int FEWEST_CALLS = 30;

  private static final long SHORTEST_WINDOW = TimeUnit.MILLISECONDS.toNanos(100);

  /** More are a sign of overload; fewer may be those of one customer. */
  private static final double MANY_FAILED = 0.1;

  /** Of the turns. A scope alone uses a half of them, and less while the limit grows. */
  private static final double GOOD_PART = 0.25;

  private static final double LESS = 0.8;

  private final int floor;
  private final int bound;
  private double limit;

  /** The shortest median of a window; 0 while none was measured. */
  private long withoutQueue;

  private @Nullable CallWindow window;
  private long windowLength = SHORTEST_WINDOW;
  private boolean isReached;
  private int current;

  ConcurrencyLimit(InboxConfig.CallOut config) {
    this.bound = config.concurrency();
    this.floor = Math.min(config.concurrencyMin(), bound);
    this.limit = floor;
    this.current = floor;
  }

  int current() {
    return current;
  }

  /** Notes that a call waits for a turn. */
  void reached() {
    isReached = true;
  }

  /**
   * Counts a call that has ended.
   *
   * @param begunNanos when it was made; how long it waited for its turn does not matter
   */
  void ended(long begunNanos, long endedNanos, CircuitBreaker.Result result) {
    CallWindow calls = window == null ? new CallWindow(begunNanos) : window;
    window = calls;
    switch (result) {
      case ANSWERED -> calls.answered(begunNanos, endedNanos);
      case FAILED -> calls.failed();
      case UNKNOWN -> {} // it says nothing about the other system
    }
    if (calls.count() >= FEWEST_CALLS && calls.lengthNanos(endedNanos) >= windowLength) {
      adjust(calls, endedNanos);
      window = new CallWindow(endedNanos);
      isReached = false;
    }
  }

  private void adjust(CallWindow calls, long nowNanos) {
    if (calls.hasAnswers()) {
      adapt(calls, nowNanos);
    } else {
      measureAnew(0);
    }
    current = Math.max(floor, (int) limit);
  }

  private void adapt(CallWindow calls, long nowNanos) {
    long time = calls.medianNanos();
    boolean isUsed = isReached && calls.busy(nowNanos) >= GOOD_PART * current;
    if (calls.failureRatio() > MANY_FAILED) {
      cut();
    } else if (withoutQueue == 0 || time < withoutQueue) {
      withoutQueue = time;
    } else if (isUsed) {
      follow(time);
    }
    if (limit < floor) {
      measureAnew(time);
    }
    windowLength = Math.max(SHORTEST_WINDOW, 2 * time);
  }

  private void follow(long time) {
    int turns = (int) limit;
    double waiting = Math.ceil(limit * (1 - (double) withoutQueue / time));
    if (waiting <= Math.max(1, turns / 6)) {
      limit += Math.max(3, turns / 2);
    } else if (waiting < Math.max(2, turns / 3)) {
      limit += Math.max(1, limit / 10);
    } else if (waiting > Math.max(3, turns / 2)) {
      limit *= LESS;
    }
    limit = Math.min(limit, bound);
    if (current == floor && (int) limit <= floor) {
      measureAnew(time);
    }
  }

  /** By a fifth; a limit that has not been measured is at the lower bound. */
  private void cut() {
    if (withoutQueue > 0) {
      limit *= LESS;
    }
  }

  private void measureAnew(long time) {
    limit = floor;
    withoutQueue = time;
  }
}
