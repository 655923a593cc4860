package io.onceflow.inbox.internal.call;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Places of a lane beyond those that it always has. A step that waits in the database is written
 * once more, and looked for among others; so more may wait in memory as long as they get their turn
 * soon and take up little of it. Nobody is promised one of these places: there are fewer at once
 * when the other system becomes slower. Whoever holds one then keeps it, and what a lane always has
 * is shared as if there were no others.
 *
 * <p>Not thread-safe.
 */
final class ExtraPlaces {

  /** Times as many as a lane always has. */
  private static final int MORE = 7;

  private static final double NANOS = Duration.ofSeconds(1).toNanos();

  private final int most;
  private final boolean isShared;
  private final CallMemory memory;
  private final CallRate rate = new CallRate();
  private final Map<String, Integer> held = new HashMap<>();
  private int heldInAll;
  private double soonSeconds;

  /**
   * @param always how many places a lane always has
   */
  ExtraPlaces(int always, boolean isShared, CallMemory memory) {
    this.most = MORE * always;
    this.isShared = isShared;
    this.memory = memory;
  }

  /** How fast calls get their turns. */
  CallRate rate() {
    return rate;
  }

  /**
   * Notes for how long the latest call may wait.
   *
   * @param nanos until its lease is nearly over
   */
  void waitsAtMost(long nanos) {
    soonSeconds = nanos / NANOS / 2; // half is left for those that hold other places
  }

  /** How many are free. */
  int room() {
    double soon = Math.min(most, rate.perSecond() * soonSeconds);
    return (int) Math.clamp(Math.min(soon - heldInAll, memory.room()), 0, most);
  }

  /**
   * How many a scope may take; below zero, so many of what is promised to it are not among these.
   *
   * @param takenInAll places that are promised already
   * @param takenByIt those of them that are promised to this scope
   */
  int allowance(String scope, int takenInAll, int takenByIt) {
    int room = room() - takenInAll;
    return isShared ? Math.ceilDiv(room - held(scope) - takenByIt, 2) : room;
  }

  void take(String scope) {
    held.merge(scope, 1, Integer::sum);
    heldInAll++;
  }

  int held(String scope) {
    return held.getOrDefault(scope, 0);
  }

  int heldInAll() {
    return heldInAll;
  }

  /** Gives back what a scope holds beyond its calls: the other places are given back first. */
  void giveBack(String scope, int calls) {
    int surplus = held(scope) - calls;
    if (surplus > 0) {
      held.compute(scope, (its, number) -> calls == 0 ? null : calls);
      heldInAll -= surplus;
    }
  }
}
