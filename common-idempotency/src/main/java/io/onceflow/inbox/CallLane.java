package io.onceflow.inbox;

import java.util.concurrent.Semaphore;

/**
 * The calls that commands of one type make: a bounded number at once, and a bounded number that
 * wait for their turn. Each type has a lane of its own, so that money can be given back while none
 * can be taken.
 *
 * <p>Whoever finds no place is held back, and the intake with it. That does not last: a call ends
 * at its deadline, and one whose lease ends before its turn comes is not made.
 */
final class CallLane {

  private static final int EVERYBODY = 1_000_000;

  private final Semaphore places;
  private final Semaphore turns;

  CallLane(InboxConfig.CallOut config) {
    this.places = new Semaphore(config.concurrency() + config.waiting());
    this.turns = new Semaphore(config.concurrency(), true);
  }

  /** Takes a place, once there is one, to {@link #leave} in the end. */
  void enter() throws InterruptedException {
    places.acquire();
  }

  /** Waits for one's turn to call, in the order of arrival; ends with {@link #endTurn}. */
  void awaitTurn() throws InterruptedException {
    turns.acquire();
  }

  void endTurn() {
    turns.release();
  }

  void leave() {
    places.release();
  }

  /**
   * Lets everybody pass who waits for a place or a turn, to find that nothing is called any more.
   */
  void open() {
    places.release(EVERYBODY);
    turns.release(EVERYBODY);
  }

  /** How many could enter. */
  int room() {
    return places.availablePermits();
  }
}
