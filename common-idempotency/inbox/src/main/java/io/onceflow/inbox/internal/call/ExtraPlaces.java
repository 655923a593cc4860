package io.onceflow.inbox.internal.call;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Places of a lane beyond those that it always has. A step that waits in the database is written
 * once more, and looked for among others; so more may wait in memory as long as they get their turn
 * soon and take up little of it. No scope is promised one of these places: when the other system
 * becomes slower there are fewer, none is taken while more are held, and they are given back before
 * the others. What a lane always has is shared as if there were no others.
 *
 * <p>Not thread-safe.
 */
final class ExtraPlaces {

  /** Times as many as a lane always has. */
  private static final int MORE = 7;

  private static final double NANOS = Duration.ofSeconds(1).toNanos();

  private final int always;
  private final double most;
  private final boolean isShared;
  private final CallMemory memory;
  private final CallRate rate = new CallRate();
  private final Map<String, Integer> held = new HashMap<>();
  private int heldInAll;
  private double longestSeconds;

  /**
   * @param always how many places a lane always has
   */
  ExtraPlaces(int always, boolean isShared, CallMemory memory) {
    this.always = always;
    this.most = (double) MORE * always;
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
    longestSeconds = nanos / NANOS;
  }

  /** How many are free. */
  int room() {
    double inTime = rate.perSecond() * longestSeconds;
    double places = Math.min(most, Math.min(inTime / 2, inTime - always));
    return (int) Math.clamp(places - heldInAll, 0, memory.room());
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

  /** With a call of a scope that has ended or is not made; the other places are kept for now. */
  void giveBack(String scope) {
    if (held(scope) > 0) {
      held.compute(scope, (its, number) -> number == null || number == 1 ? null : number - 1);
      heldInAll--;
    }
  }
}
