package io.onceflow.idempotency.internal.execution;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/** How many background runs the process has, and how many of them are of one caller. */
final class BackgroundPlaces {

  private final Semaphore free;
  private final int mostOfOne;
  private final Map<String, Integer> byScope = new ConcurrentHashMap<>();

  BackgroundPlaces(int most, int mostOfOne) {
    this.free = new Semaphore(most);
    this.mostOfOne = mostOfOne;
  }

  /**
   * Counts a run of the process and of the caller, if both have a place. The caller's is counted
   * last: a start that finds no place is nothing of its quota, not even for a moment.
   */
  boolean tryEnter(String scope) {
    AtomicBoolean isIn = new AtomicBoolean();
    byScope.compute(
        scope,
        (same, many) -> {
          int before = many == null ? 0 : many;
          isIn.setPlain(before < mostOfOne && free.tryAcquire());
          return isIn.getPlain() ? Integer.valueOf(before + 1) : many;
        });
    return isIn.getPlain();
  }

  void leave(String scope) {
    free.release();
    byScope.computeIfPresent(scope, (same, many) -> many == 1 ? null : many - 1);
  }

  /** True when it is the caller's own runs that leave no place. */
  boolean isFull(String scope) {
    return byScope.getOrDefault(scope, 0) >= mostOfOne;
  }
}
