package io.onceflow.inbox;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The calls that commands of one type make: a bounded number at once. Each type has a lane of its
 * own, so that money can be given back while none can be taken.
 *
 * <p>Whoever finds the lane full waits for as long as it moves, which holds the intake back to the
 * speed of the other side. A lane in which nothing ends is not waited for: behind it are commands
 * of other types.
 */
final class CallLane {

  /** Slower than this the lane is no queue worth standing in; what is put off comes back later. */
  private static final Duration STANDSTILL = Duration.ofMillis(20);

  private final Semaphore free;
  private volatile long movedAt = System.nanoTime();

  /**
   * @param atOnce calls under way at most
   */
  CallLane(int atOnce) {
    this.free = new Semaphore(atOnce);
  }

  /** Enters, or tells that it stands still. Whoever has entered must {@link #leave}. */
  boolean enter() throws InterruptedException {
    boolean entered = free.tryAcquire();
    while (!entered) {
      long patience = movedAt + STANDSTILL.toNanos() - System.nanoTime();
      if (patience <= 0) {
        return false;
      }
      entered = free.tryAcquire(patience, TimeUnit.NANOSECONDS);
    }
    movedAt = System.nanoTime();
    return true;
  }

  void leave() {
    movedAt = System.nanoTime();
    free.release();
  }

  boolean hasRoom() {
    return free.availablePermits() > 0;
  }
}
