package io.onceflow.saga.internal.store.view;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** The moments in UUIDs of version 7 (RFC 9562): the order of the ids is that of time. */
public final class UuidTime {

  /** Ids are made by the clocks of several processes, other times by that of the database. */
  public static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

  private static final long VERSION = 0x7000L;

  private UuidTime() {}

  /** The smallest id of a moment. */
  public static UUID first(Instant moment) {
    return new UUID(moment.toEpochMilli() << 16 | VERSION, Long.MIN_VALUE);
  }
}
