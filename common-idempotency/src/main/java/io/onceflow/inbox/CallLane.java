package io.onceflow.inbox;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The calls that commands of one type make: a bounded number at once, and a bounded number that
 * wait for their turn. Each type has a lane of its own, so that money can be given back while none
 * can be taken.
 *
 * <p>Whoever finds no place waits for one for as long as the lane moves, which holds the intake
 * back to the speed of the other side. A full lane in which nothing ends is not waited for: behind
 * it are commands of other types.
 */
final class CallLane {

  /** Two batches or so: while one is called out for, the next may be written down. */
  private static final int MAY_WAIT = 1_024;

  /** A full lane that is slower than this is no queue worth standing in. */
  private static final Duration STANDSTILL = Duration.ofMillis(20);

  private final Semaphore places;
  private final Semaphore turns;
  private volatile long movedAt = System.nanoTime();

  /**
   * @param atOnce calls under way at most
   */
  CallLane(int atOnce) {
    this.places = new Semaphore(atOnce + MAY_WAIT);
    this.turns = new Semaphore(atOnce, true);
  }

  /** Takes a place, or tells that there is none. Whoever has one must {@link #leave}. */
  boolean enter() throws InterruptedException {
    boolean entered = places.tryAcquire();
    while (!entered) {
      long patience = movedAt + STANDSTILL.toNanos() - System.nanoTime();
      if (patience <= 0) {
        return false;
      }
      entered = places.tryAcquire(patience, TimeUnit.NANOSECONDS);
    }
    movedAt = System.nanoTime();
    return true;
  }

  /** Waits for one's turn to call, in the order of arrival; ends with {@link #endTurn}. */
  void awaitTurn() throws InterruptedException {
    turns.acquire();
  }

  void endTurn() {
    turns.release();
  }

  void leave() {
    movedAt = System.nanoTime();
    places.release();
  }

  /** How many could enter. */
  int room() {
    return places.availablePermits();
  }
}
