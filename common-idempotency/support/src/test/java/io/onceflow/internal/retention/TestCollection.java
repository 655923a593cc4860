package io.onceflow.internal.retention;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.sql.ExpiringTable.CollectedTable;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Garbage collection for tests, without Quarkus; without arguments, configured as it is by default.
 *
 * @param batchSize rows to a transaction
 * @param longestTurn until the next look
 * @param firstPause after a turn that deleted something
 * @param longestPause after many that did not
 * @param warnAfter how long an expired row may stay
 */
public record TestCollection(
    int batchSize,
    Duration longestTurn,
    Duration firstPause,
    Duration longestPause,
    Duration warnAfter)
    implements GarbageCollectionConfig {

  public TestCollection() {
    this(
        1000,
        Duration.ofSeconds(5),
        Duration.ofSeconds(5),
        Duration.ofMinutes(1),
        Duration.ofMinutes(15));
  }

  public TestCollection withBatchSize(int other) {
    return new TestCollection(other, longestTurn, firstPause, longestPause, warnAfter);
  }

  public TestCollection withLongestTurn(Duration other) {
    return new TestCollection(batchSize, other, firstPause, longestPause, warnAfter);
  }

  public TestCollection withPauses(Duration first, Duration longest) {
    return new TestCollection(batchSize, longestTurn, first, longest, warnAfter);
  }

  /** A collector of this table, which tells what it does to this registry. */
  public GarbageCollector of(CollectedTable table, DataSource database, MeterRegistry registry) {
    return on(database, registry).of(table);
  }

  /** What collectors are made by. */
  public GarbageCollection on(DataSource database, MeterRegistry registry) {
    return new GarbageCollection(this, database, registry);
  }

  /** Tests wait for no rest. */
  @Override
  public double restBetweenBatches() {
    return 0;
  }
}
