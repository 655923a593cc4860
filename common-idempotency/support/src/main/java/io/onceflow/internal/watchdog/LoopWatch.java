package io.onceflow.internal.watchdog;

import static java.util.Comparator.naturalOrder;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Metrics;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BinaryOperator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records when a loop last ended a turn. Each loop that must keep running starts a watch and calls
 * {@link #turned} after each turn, whether it succeeded or failed, and during intended pauses.
 *
 * <pre>{@code
 * LoopWatch watch = LoopWatch.begin("outbox-relay", pollInterval);
 * while (isRunning()) {
 *   takeATurn();
 *   watch.turned();
 * }
 * watch.close();
 * }</pre>
 *
 * <p>A loop that is not meant to end leaves its watch open where it ends nevertheless: liveness
 * fails then.
 *
 * <p>The watches of a process are in one static set, and their gauges in the global registry, so
 * that no loop can be left out by wiring.
 */
public final class LoopWatch implements AutoCloseable {

  private static final Set<LoopWatch> RUNNING = ConcurrentHashMap.newKeySet();

  /** Far above every timeout of a turn. */
  private static final Duration LEAST_BOUND = Duration.ofMinutes(5);

  /** A loop may miss so many intervals. */
  private static final int MISSED = 5;

  private final String loop;
  private final Duration bound;
  private final LongSupplier nanoTime;
  private volatile long turnedAt;

  LoopWatch(String loop, Duration longestPause, LongSupplier nanoTime) {
    Duration missed = longestPause.multipliedBy(MISSED);
    this.loop = loop;
    this.bound = missed.compareTo(LEAST_BOUND) > 0 ? missed : LEAST_BOUND;
    this.nanoTime = nanoTime;
    this.turnedAt = nanoTime.getAsLong();
  }

  /**
   * Watches a loop from now on, until {@link #close}.
   *
   * @param loop its name, one of few: it becomes a tag of a metric
   * @param longestPause that it takes between two turns
   */
  public static LoopWatch begin(String loop, Duration longestPause) {
    return idle(loop, longestPause).begin();
  }

  /** As {@link #begin(String, Duration)}, of a loop that does not run until {@link #begin()}. */
  public static LoopWatch idle(String loop, Duration longestPause) {
    return new LoopWatch(loop, longestPause, System::nanoTime);
  }

  /** The loop runs from now on. */
  public LoopWatch begin() {
    turned();
    RUNNING.add(this);
    Gauge.builder("onceflow.loop.last.turn.age", () -> longestAge(loop))
        .description("How long ago the loop last finished an iteration, on this replica")
        .baseUnit("seconds")
        .tag("loop", loop)
        .register(Metrics.globalRegistry);
    return this;
  }

  /** How long ago each loop that runs last ended a turn; of several of a name the longest. */
  public static SortedMap<String, Duration> ages() {
    SortedMap<String, Duration> ages = new TreeMap<>();
    RUNNING.forEach(
        watch -> ages.merge(watch.loop, watch.age(), BinaryOperator.maxBy(naturalOrder())));
    return ages;
  }

  /** Null when all of that name have ended. */
  private static @Nullable Number longestAge(String loop) {
    Duration age = ages().get(loop);
    return age == null ? null : age.toMillis() / 1000.0;
  }

  /** The watches of loops that run. */
  static List<LoopWatch> running() {
    return List.copyOf(RUNNING);
  }

  /** A turn has ended. */
  public void turned() {
    turnedAt = nanoTime.getAsLong();
  }

  String loop() {
    return loop;
  }

  /** How long ago the last turn ended. */
  Duration age() {
    return Duration.ofNanos(nanoTime.getAsLong() - turnedAt);
  }

  /** Whether no turn has ended for longer than {@link #bound}. */
  boolean isSilent() {
    return age().compareTo(bound) > 0;
  }

  /** How long the loop may be silent before it counts as dead. */
  Duration bound() {
    return bound;
  }

  /** The loop has ended on purpose. */
  @Override
  public void close() {
    RUNNING.remove(this);
  }
}
