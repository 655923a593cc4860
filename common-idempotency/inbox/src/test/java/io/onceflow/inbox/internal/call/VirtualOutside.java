package io.onceflow.inbox.internal.call;

import io.onceflow.inbox.internal.call.CircuitBreaker.Result;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/** Another system that is called through one lane, on a virtual clock. */
final class VirtualOutside {

  private final CallLane<String> lane;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
  private final Map<String, Integer> underWay = new HashMap<>();
  private Manner manner;
  private Runnable afterEach = () -> {};
  private long now;
  private long number;
  private int underWayInAll;
  private long answered;

  private record Event(long at, long number, Runnable what) {}

  /** What becomes of a call. */
  record Fate(Duration after, Result result) {

    static Fate answer(Duration after) {
      return new Fate(after, Result.ANSWERED);
    }

    static Fate timeout() {
      return new Fate(Duration.ofSeconds(5), Result.FAILED);
    }
  }

  /** How the other system takes a call. */
  @FunctionalInterface
  interface Manner {

    /**
     * @param calls under way, this one included
     */
    Fate take(String scope, int calls);
  }

  VirtualOutside(CallLane<String> lane, Manner manner) {
    this.lane = lane;
    this.manner = manner;
  }

  /** From now on it behaves otherwise. */
  void become(Manner other) {
    manner = other;
  }

  /** Looks at it after everything that happens. */
  void watch(Runnable look) {
    afterEach = look;
  }

  /**
   * Sends calls at even intervals, for ever; those that find no place are dropped.
   *
   * @param scopes in turns
   */
  void send(int perSecond, String... scopes) {
    sendNext(Duration.ofSeconds(1).dividedBy(perSecond), 0, scopes);
  }

  private void sendNext(Duration interval, int turn, String... scopes) {
    after(
        interval,
        () -> {
          if (lane.enter(scopes[turn], scopes[turn])) {
            callNext();
          }
          sendNext(interval, (turn + 1) % scopes.length, scopes);
        });
  }

  void runFor(Duration length) {
    long end = now + length.toNanos();
    while (!events.isEmpty() && events.peek().at() <= end) {
      Event next = events.remove();
      now = next.at();
      next.what().run();
      afterEach.run();
    }
    now = end;
  }

  /** Answers a second. */
  double answeredIn(Duration length) {
    long before = answered;
    runFor(length);
    return (answered - before) * 1e9 / length.toNanos();
  }

  int underWay(String scope) {
    return underWay.getOrDefault(scope, 0);
  }

  private void callNext() {
    for (String scope = lane.next(); scope != null; scope = lane.next()) {
      call(scope);
    }
  }

  private void call(String scope) {
    underWay.merge(scope, 1, Integer::sum);
    Fate fate = manner.take(scope, ++underWayInAll);
    long begun = now;
    after(fate.after(), () -> end(scope, begun, fate.result()));
  }

  private void end(String scope, long begun, Result result) {
    underWay.merge(scope, -1, Integer::sum);
    underWayInAll--;
    answered += result == Result.ANSWERED ? 1 : 0;
    lane.took(begun, now, result);
    lane.leave(scope);
    callNext();
  }

  private void after(Duration pause, Runnable what) {
    events.add(new Event(now + pause.toNanos(), number++, what));
  }
}
