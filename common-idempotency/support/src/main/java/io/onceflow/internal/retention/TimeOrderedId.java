package io.onceflow.internal.retention;

import java.time.Instant;
import java.util.UUID;

/**
 * Ids that are UUIDv7: they begin with the millisecond in which they were made, so the primary key
 * finds old rows and needs no index of times beside it.
 */
public final class TimeOrderedId {

  private static final String LOWEST =
      "(lpad(to_hex(greatest(0, extract(epoch FROM %s) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid";

  private TimeOrderedId() {}

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
