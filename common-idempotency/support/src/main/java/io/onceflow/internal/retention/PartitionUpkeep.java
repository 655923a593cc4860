package io.onceflow.internal.retention;

import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/**
 * Looks after the partitions of a table every few minutes. A failure of it does not prevent
 * deleting rows.
 */
final class PartitionUpkeep {

  private static final Logger LOG = Logger.getLogger(PartitionUpkeep.class);

  /** Partitions come and go by the day. */
  private static final Duration EVERY = Duration.ofMinutes(10);

  private final CollectedTable table;
  private final DayPartitions partitions;
  private final LongSupplier nanoTime;
  private OptionalLong daysAhead = OptionalLong.empty();
  private boolean hasLooked;
  private long lookedAt;
  private boolean isFailing;

  PartitionUpkeep(CollectedTable table, DayPartitions partitions, LongSupplier nanoTime) {
    this.table = table;
    this.partitions = partitions;
    this.nanoTime = nanoTime;
  }

  /** Looks if the last look was long ago; returns how many partitions were dropped. */
  synchronized int lookIfDue() {
    boolean isDue = !hasLooked || nanoTime.getAsLong() - lookedAt > EVERY.toNanos();
    return isDue ? look() : 0;
  }

  /** Makes what is missing, drops what has served its time. */
  synchronized int look() {
    hasLooked = true;
    lookedAt = nanoTime.getAsLong();
    try {
      if (!partitions.exist()) {
        daysAhead = OptionalLong.empty();
        return 0;
      }
      // Known from here on, whatever fails below: the days decide what is deleted row by row.
      daysAhead = OptionalLong.of(partitions.daysAhead());
      partitions.make();
      daysAhead = OptionalLong.of(partitions.daysAhead());
      int dropped = partitions.dropExpired();
      isFailing = false;
      return dropped;
    } catch (SQLException e) {
      if (!isFailing) {
        LOG.warnf(
            "partitions of %s cannot be looked after: %s; tried again",
            table.name(), e.getMessage());
      }
      isFailing = true;
      return 0;
    }
  }

  /** For how many days to come there are partitions; empty for a table without any. */
  synchronized OptionalLong daysAhead() {
    return daysAhead;
  }

  /**
   * How much longer rows are spared that go with their partition. It goes when its last row has
   * expired; its first has been due for as many days by then as it holds. What is still there one
   * day later is held back by rows that are kept longer, and is deleted row by row.
   */
  synchronized Duration grace() {
    return daysAhead.isPresent() ? Duration.ofDays(table.days() + 1) : Duration.ZERO;
  }
}
