package io.onceflow.inbox.internal.call;

import io.onceflow.inbox.internal.InboxConfig;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The calls that commands of one type make: a limited number at once, which is adapted to the other
 * system, and a bounded number that wait in memory for their turn. Each type has its lane, so that
 * refunds are made while charges fail. A lane never blocks: a command that finds no place stays in
 * the database, started and due, until recovery finds a place for it.
 *
 * <p>The scopes share a lane: their calls take turns, and a scope gets no more turns, and no more
 * places, than it leaves free. So a scope alone uses up to a half, and the next scope always finds
 * room. While calls get their turns soon, more of them may wait than that.
 *
 * @param <C> a call
 */
public final class CallLane<C> {

  private final ConcurrencyLimit turns;
  private final int mostWaiting;
  private final boolean isShared;
  private final ExtraPlaces extra;
  private final CallMemory memory;
  private final Footprint<C> footprint;

  /** The scope whose turn it is comes first; it goes to the end of the line with its call. */
  private final Map<String, Deque<C>> waiting = new LinkedHashMap<>();

  private final Map<String, Integer> calling = new HashMap<>();
  private int callingInAll;
  private int waitingInAll;
  private boolean isBehind;
  private boolean isClosed;

  /** What it costs to let a call wait in memory. */
  interface Footprint<C> {

    /** How much memory it takes up, about. */
    long bytes(C call);

    /** For how long it may wait, in nanoseconds: until it would have to be given back. */
    long waitsAtMost(C call);
  }

  /**
   * @param memory of all lanes
   */
  CallLane(InboxConfig.CallOut config, CallMemory memory, Footprint<C> footprint) {
    this.turns = new ConcurrencyLimit(config);
    this.mostWaiting = config.waiting();
    this.isShared = config.sharedFairly();
    this.extra = new ExtraPlaces(mostWaiting, isShared, memory);
    this.memory = memory;
    this.footprint = footprint;
  }

  /** Takes a place for a call; false if there is none for this scope. */
  synchronized boolean enter(String scope, C call) {
    long bytes = footprint.bytes(call);
    memory.comes(bytes);
    extra.waitsAtMost(footprint.waitsAtMost(call));
    if (allowance(scope, 0, 0) < 1) {
      isBehind = !isClosed;
      return false;
    }
    if (extra.allowance(scope, 0, 0) > 0) {
      extra.take(scope);
    }
    waiting.computeIfAbsent(scope, its -> new ArrayDeque<>()).add(call);
    waitingInAll++;
    memory.add(bytes);
    return true;
  }

  /** The next call to be made, which holds a turn until {@link #leave}; null if none can be. */
  synchronized @Nullable C next() {
    Iterator<Map.Entry<String, Deque<C>>> line = waiting.entrySet().iterator();
    int free = turns.current() - callingInAll;
    while (free > 0 && line.hasNext()) {
      Map.Entry<String, Deque<C>> first = line.next();
      String scope = first.getKey();
      int its = calling.getOrDefault(scope, 0);
      if (!isShared || its < free) {
        Deque<C> calls = first.getValue();
        line.remove();
        C call = calls.remove();
        if (!calls.isEmpty()) {
          waiting.put(scope, calls);
        }
        calling.put(scope, its + 1);
        callingInAll++;
        waitingInAll--;
        memory.remove(footprint.bytes(call));
        return call;
      }
    }
    if (waitingInAll > 0) {
      turns.reached();
    }
    return null;
  }

  /**
   * Notes how long a call took, which {@link #leave} follows.
   *
   * @param begunNanos when it was made
   */
  synchronized void took(long begunNanos, long endedNanos, CircuitBreaker.Result result) {
    turns.ended(begunNanos, endedNanos, result);
    extra.rate().ended(begunNanos, endedNanos, result);
  }

  /** Gives a call's turn and place back. */
  public synchronized void leave(String scope) {
    calling.compute(scope, (its, calls) -> calls == null || calls == 1 ? null : calls - 1);
    callingInAll--;
    extra.giveBack(scope);
  }

  /**
   * Whether a command that has just arrived may have a place. While others wait in the database,
   * only a scope that has no call here may, and only while the lane is not crowded: the others
   * would overtake those that wait.
   *
   * @param takenInAll places that are promised already
   * @param takenByIt those of them that are promised to this scope
   */
  synchronized boolean admits(String scope, int takenInAll, int takenByIt) {
    boolean isAdmitted =
        allowance(scope, takenInAll, takenByIt) > 0
            && (!isBehind || isLight(scope, takenInAll, takenByIt));
    isBehind |= !isAdmitted && !isClosed;
    return isAdmitted;
  }

  private boolean isLight(String scope, int takenInAll, int takenByIt) {
    return held(scope) + takenByIt == 0 && room() - takenInAll > places() / 4;
  }

  /**
   * Whether a command that has just arrived may have one of so many turns: those that wait in the
   * database come first.
   */
  synchronized boolean isInTurn(int turns) {
    boolean isInTurn = turns > 0 && !isBehind;
    isBehind |= !isInTurn && !isClosed;
    return isInTurn;
  }

  /** Nothing waits in the database any more. */
  synchronized void caughtUp() {
    isBehind = false;
  }

  /** How many calls could enter, if their scopes are not many at once. */
  synchronized int room() {
    return isClosed ? 0 : placesLeft() + extra.room();
  }

  private int placesLeft() {
    return Math.max(0, places() - callingInAll - waitingInAll + extra.heldInAll());
  }

  private int places() {
    return turns.current() + mostWaiting;
  }

  /** How many calls may be under way at once. */
  synchronized int limit() {
    return turns.current();
  }

  /** How many calls are under way. */
  synchronized int calling() {
    return callingInAll;
  }

  /** How many calls wait for their turn. */
  synchronized int waiting() {
    return waitingInAll;
  }

  /** The scopes that have no place for so many calls more. */
  synchronized Set<String> fullFor(int calls) {
    Set<String> full = new HashSet<>(waiting.keySet());
    full.addAll(calling.keySet());
    full.removeIf(scope -> allowance(scope, 0, 0) >= calls);
    return full;
  }

  /** Admits nothing from now on, and returns the calls that wait; none of them will be made. */
  synchronized List<C> close() {
    isClosed = true;
    List<C> left = new ArrayList<>();
    waiting.values().forEach(left::addAll);
    waiting.clear();
    waitingInAll = 0;
    left.forEach(call -> memory.remove(footprint.bytes(call)));
    return left;
  }

  /**
   * How many calls of a scope may enter: first into extra places. Of the others each leaves one
   * place less, and one more that the scope has.
   */
  private int allowance(String scope, int takenInAll, int takenByIt) {
    if (isClosed) {
      return 0;
    }
    int extras = extra.allowance(scope, takenInAll, takenByIt);
    int byIt = Math.clamp(-extras, 0, takenByIt);
    int room = placesLeft() - Math.max(byIt, takenInAll - extra.room());
    int its = held(scope) - extra.held(scope) + byIt;
    return Math.max(0, extras) + Math.max(0, isShared ? Math.ceilDiv(room - its, 2) : room);
  }

  private int held(String scope) {
    Deque<C> its = waiting.get(scope);
    return calling.getOrDefault(scope, 0) + (its == null ? 0 : its.size());
  }
}
