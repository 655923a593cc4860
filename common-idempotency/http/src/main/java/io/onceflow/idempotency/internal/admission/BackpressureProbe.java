package io.onceflow.idempotency.internal.admission;

import io.onceflow.core.internal.Backpressure;
import java.util.HashMap;
import java.util.Map;

/** What is known of one {@link Backpressure} between two looks at it. Not thread-safe. */
final class BackpressureProbe {

  private final Backpressure pressure;
  private final long bound;
  private final long share;
  private final Map<String, Long> admittedOf = new HashMap<>();
  private Map<String, Long> admittedOfBeforeLook = Map.of();
  private Map<String, Long> seenOf = Map.of();
  private long seen;
  private long admitted;
  private long admittedBeforeLook;

  /**
   * @param share of the bound that one caller may have
   */
  BackpressureProbe(Backpressure pressure, double share) {
    this.pressure = pressure;
    this.bound = pressure.bound();
    this.share = Math.max(1, (long) (bound * share));
  }

  Backpressure pressure() {
    return pressure;
  }

  String name() {
    return pressure.name();
  }

  /** As many as one caller may have waiting. */
  long share() {
    return share;
  }

  /** The number last seen plus the requests admitted since; some of those may be in both. */
  long estimate() {
    return seen + admitted;
  }

  /** The same of one caller. */
  long estimate(String caller) {
    return seenOf.getOrDefault(caller, 0L) + admittedOf.getOrDefault(caller, 0L);
  }

  boolean isFull() {
    return estimate() >= bound;
  }

  /** True when the caller has its share of it already. */
  boolean isFull(String caller) {
    return estimate(caller) >= share;
  }

  /** True when work in the background would take what is left to requests. */
  boolean isFullInBackground(String caller, double part) {
    return estimate() >= bound * part || estimate(caller) >= Math.max(1, share * part);
  }

  void admit() {
    admitted++;
  }

  /** So many more of one caller. */
  void admit(String caller, int more) {
    admittedOf.merge(caller, (long) more, Long::sum);
  }

  /** Some that were not let in one by one. */
  void admit(int more) {
    admitted += more;
  }

  /** Of those of whom fewer wait, what they have been let in with since is known well enough. */
  long leastToSee() {
    return Math.max(1, share / 2);
  }

  /** A count begins; requests admitted from now on may be missing in it. */
  void beginLook() {
    admittedBeforeLook = admitted;
    admittedOfBeforeLook = Map.copyOf(admittedOf);
  }

  /** What the look has seen; nothing when it has failed. */
  void endLook(Backpressure.Waiting waiting) {
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
