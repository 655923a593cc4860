package io.onceflow.outbox.internal.cdc;

import java.time.Duration;
import java.util.ArrayDeque;

/**
 * For how long what was written has not been dealt with. It is found out by what a process sees of
 * a slot now and then: how far the log is written, and how far it is dealt with.
 */
final class SlotDelay {

  /** Enough for a minute of looks, and for half a minute of those that are one in two. */
  private static final int MOST = 64;

  private final ArrayDeque<Written> open = new ArrayDeque<>();

  /**
   * The log was written up to here.
   *
   * @param at {@link System#nanoTime()}
   */
  private record Written(long position, long at) {}

  /**
   * What is seen now.
   *
   * @param written position up to which the log is written
   * @param settled position up to which it is dealt with
   * @param now {@link System#nanoTime()}
   * @return how long ago something was written that is not dealt with; at least, since it may have
   *     been written before it was seen
   */
  Duration seen(long written, long settled, long now) {
    while (!open.isEmpty() && open.element().position() <= settled) {
      open.remove();
    }
    Duration delay = open.isEmpty() ? Duration.ZERO : Duration.ofNanos(now - open.element().at());
    open.add(new Written(written, now));
    thinOut();
    return delay;
  }

  /** The oldest stays, and one in two of the others. */
  private void thinOut() {
    if (open.size() > MOST) {
      int[] place = {0};
      open.removeIf(written -> place[0]++ % 2 == 1);
    }
  }
}
