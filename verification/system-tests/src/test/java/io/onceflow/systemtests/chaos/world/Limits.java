package io.onceflow.systemtests.chaos.world;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What things may take, by what they take on the same machine in the same run while nothing is
 * wrong: slow cores are no fault of the product's.
 *
 * @param ready of a process until it is ready
 * @param post p99 of other callers' POSTs
 * @param confirmed p99 of the time from their 201 until their orders are confirmed
 * @param resumed until callers can place orders after nothing could be written
 */
public record Limits(Duration ready, Duration post, Duration confirmed, Duration resumed) {

  /** Other callers and faults take the cores, too. */
  private static final int TIMES = 3;

  /** As long as a call to the gateway may go on: {@code onceflow.inbox.call-out.deadline}. */
  private static final Duration A_CALL = Duration.ofSeconds(5);

  /**
   * The limits of a run.
   *
   * @param start how long a process took to be ready
   * @param post p99 of POSTs
   * @param confirmed p99 of the time from a 201 until the order is confirmed
   * @param readyAtLeast what a process may take on any machine
   * @param postAtLeast what a POST may
   */
  public static Limits of(
      Duration start,
      Duration post,
      Duration confirmed,
      Duration readyAtLeast,
      Duration postAtLeast) {
    return new Limits(
        longer(readyAtLeast, start.multipliedBy(TIMES)),
        longer(postAtLeast, post.multipliedBy(TIMES)),
        confirmed.plus(A_CALL),
        longer(readyAtLeast, start));
  }

  /** Whether something took longer than it may; null for what never came to its end. */
  static boolean isLater(@Nullable Duration took, Duration limit) {
    return took == null || took.compareTo(limit) > 0;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
