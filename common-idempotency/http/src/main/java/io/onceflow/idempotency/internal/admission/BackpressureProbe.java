package io.onceflow.idempotency.internal.admission;

import io.onceflow.core.internal.Backpressure;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** An estimate of one {@link Backpressure} between two readings. Thread-safe. */
final class BackpressureProbe {

  /** A reading that took 50 ms is followed by the next after a second: one part in twenty. */
  private static final int REST = 20;

  private static final long LONGEST_REST = Duration.ofSeconds(2).toNanos();

  /** The estimate is too high by what has ended: so large a part of the bound ends a rest. */
  private static final int PARTS = 20;

  /** Where nothing is admitted and little waits: as often as dashboards are looked at. */
  private static final long IDLE = Duration.ofSeconds(10).toNanos();

  private final Backpressure pressure;
  private final long bound;
  private final long share;
  private final Map<String, Long> admittedOf = new HashMap<>();
  private Map<String, Long> admittedOfBeforeLook = Map.of();
  private Map<String, Long> seenOf = Map.of();
  private long seen;
  private long admitted;
  private long admittedBeforeLook;
  private long restNanos;
  private long restsSinceNanos;

  /** Whether anything was admitted since the last reading, or that has failed. */
  private boolean isWanted = true;

  /**
   * @param share of the limit that one caller may use
   */
  BackpressureProbe(Backpressure pressure, double share) {
    this.pressure = pressure;
    this.bound = pressure.bound();
    this.share = Math.max(1, (long) (bound * share));
  }

  String name() {
    return pressure.name();
  }

  /** How many of one caller may wait. */
  long share() {
    return share;
  }

  /** The number last read plus the requests admitted since; some may be counted twice. */
  synchronized long estimate() {
    return seen + admitted;
  }

  /** The same of one caller. */
  synchronized long estimate(String caller) {
    return seenOf.getOrDefault(caller, 0L) + admittedOf.getOrDefault(caller, 0L);
  }

  synchronized boolean isFull() {
    return estimate() >= bound;
  }

  /** True if the caller has used up its share. */
  synchronized boolean isFull(String caller) {
    return estimate(caller) >= share;
  }

  /** True if background work would use what is reserved for requests. */
  synchronized boolean isFullInBackground(String caller, double part) {
    return estimate() >= bound * part || estimate(caller) >= Math.max(1, share * part);
  }

  /** Counts items of one caller. */
  synchronized void admit(String caller, int more) {
    admittedOf.merge(caller, (long) more, Long::sum);
    isWanted = true;
  }

  /** Counts items that are not requests. */
  synchronized void admit(int more) {
    admitted += more;
    isWanted = true;
  }

  /** A caller with fewer waiting items is not read; counting its admitted requests is enough. */
  private long leastToSee() {
    return Math.max(1, share / 2);
  }

  /** Reads the number if that is due. */
  void lookIfDue() throws Exception {
    long begunNanos = System.nanoTime();
    if (!isDue(begunNanos)) {
      return;
    }
    beginLook();
    Backpressure.Waiting seen = new Backpressure.Waiting(0, Map.of());
    boolean isRead = false;
    try {
      seen = pressure.waiting(leastToSee());
      isRead = true;
    } finally {
      endLook(seen);
      rest(begunNanos, System.nanoTime());
      if (!isRead) {
        failed();
      }
    }
  }

  /** Whether the next reading is to be made, so that they cost little of the time. */
  synchronized boolean isDue(long nowNanos) {
    long restedNanos = nowNanos - restsSinceNanos;
    boolean isRested = restNanos == 0 || admitted >= part() || restedNanos >= restNanos;
    return isRested && (isWanted || isHigh() || restedNanos >= IDLE);
  }

  /** So much waits, in all or of one caller, that requests may have been refused for it. */
  private boolean isHigh() {
    return estimate() >= part() || !seenOf.isEmpty();
  }

  private long part() {
    return Math.max(1, bound / PARTS);
  }

  /** Lets it rest after a reading, whatever its outcome. */
  synchronized void rest(long begunNanos, long endedNanos) {
    restsSinceNanos = endedNanos;
    restNanos = Math.min(REST * (endedNanos - begunNanos), LONGEST_REST);
  }

  synchronized void endRest() {
    restNanos = 0;
    isWanted = true;
  }

  /** The last reading has failed: the next one does not wait for a request. */
  synchronized void failed() {
    isWanted = true;
  }

  /** A reading starts; requests admitted from now on may be missing in it. */
  synchronized void beginLook() {
    isWanted = false;
    admittedBeforeLook = admitted;
    admittedOfBeforeLook = Map.copyOf(admittedOf);
  }

  /** The result of the reading; zero if it has failed. */
  synchronized void endLook(Backpressure.Waiting waiting) {
    seen = waiting.all();
    seenOf = waiting.byCaller();
    admitted -= admittedBeforeLook;
    admittedBeforeLook = 0;
    admittedOfBeforeLook.forEach(
        (caller, before) ->
            admittedOf.computeIfPresent(
                caller, (same, now) -> now.equals(before) ? null : now - before));
    admittedOfBeforeLook = Map.of();
  }
}
