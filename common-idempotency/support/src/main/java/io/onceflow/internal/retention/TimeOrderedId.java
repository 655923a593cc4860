package io.onceflow.internal.retention;

import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ids that are UUIDv7: they start with the millisecond in which they were made, so the primary key
 * finds old rows and needs no index of times beside it.
 */
public final class TimeOrderedId {

  private static final String LOWEST =
      "(lpad(to_hex(greatest(0, extract(epoch FROM %s) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid";

  private static final int COUNTER_BITS = 12;
  private static final int VERSION = 7 << COUNTER_BITS;

  /** The millisecond and the counter within it of the latest id of this process. */
  private static final AtomicLong LATEST = new AtomicLong();

  private TimeOrderedId() {}

  /**
   * A fresh id, greater than all that this process has made before. Where a millisecond has more
   * than 4,096 of them, or the clock was set back, they count on ahead of it (RFC 9562, 6.2).
   */
  public static UUID next() {
    long now = System.currentTimeMillis() << COUNTER_BITS;
    long its = LATEST.updateAndGet(latest -> Math.max(now, latest + 1));
    long time = its >>> COUNTER_BITS << (COUNTER_BITS + 4);
    long counter = its & ((1 << COUNTER_BITS) - 1);
    return new UUID(time | VERSION | counter, UUID.randomUUID().getLeastSignificantBits());
  }

  /**
   * The lowest id of a moment: all ids from before it are lower.
   *
   * @param time an SQL expression of type timestamptz
   */
  public static String lowest(String time) {
    return LOWEST.formatted(time);
  }

  /** The same for a moment of this process's clock. */
  public static UUID lowest(Instant time) {
    return new UUID(time.toEpochMilli() << 16, 0);
  }
}
