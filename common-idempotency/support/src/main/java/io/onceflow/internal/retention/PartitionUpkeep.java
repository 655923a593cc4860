package io.onceflow.internal.retention;

import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/**
 * Makes and drops the partitions of a table every few minutes. When that fails, rows are deleted
 * all the same.
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

  /** Runs if the last run was long ago; returns how many partitions were dropped. */
  synchronized int lookIfDue() {
    boolean isDue = !hasLooked || nanoTime.getAsLong() - lookedAt > EVERY.toNanos();
    return isDue ? look() : 0;
  }

  /** Makes missing partitions and drops expired ones; returns how many were dropped. */
  synchronized int look() {
    hasLooked = true;
    lookedAt = nanoTime.getAsLong();
    try {
      if (!partitions.exist()) {
        daysAhead = OptionalLong.empty();
        return 0;
      }
      // Set before what may fail below: rows of a partitioned table are deleted with a grace.
      daysAhead = OptionalLong.of(partitions.daysAhead());
      partitions.make();
      daysAhead = OptionalLong.of(partitions.daysAhead());
      int dropped = partitions.dropExpired();
      isFailing = false;
      return dropped;
    } catch (SQLException e) {
      if (!isFailing) {
        LOG.warnf(
            "partitions of %s cannot be maintained: %s; tried again", table.name(), e.getMessage());
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
   * How much longer rows are kept that will go with their partition. A partition is dropped when
   * its last row has expired; its first row has been expired by then for as many days as the
   * partition holds. Rows that are still there one day later are in a partition that cannot be
   * dropped yet, and are deleted one by one.
   */
  synchronized Duration grace() {
    return daysAhead.isPresent() ? Duration.ofDays(table.days() + 1) : Duration.ZERO;
  }
}
