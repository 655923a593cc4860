package io.onceflow.internal.retention;

import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/** Makes garbage collectors, and remembers them for the health check. */
@ApplicationScoped
public class GarbageCollection {

  private final GarbageCollectionConfig config;
  private final DataSource database;
  private final MeterRegistry registry;
  private final List<GarbageCollector> collectors = new CopyOnWriteArrayList<>();

  GarbageCollection(GarbageCollectionConfig config, DataSource database, MeterRegistry registry) {
    this.config = config;
    this.database = database;
    this.registry = registry;
  }

  /** A collector for one table; one is enough for a process. */
  public GarbageCollector of(CollectedTable table) {
    return of(table, 1);
  }

  /**
   * A collector for a table whose rows take others with them.
   *
   * @param rowsOfEach how many rows go with each of the table's, itself included: a batch has as
   *     many fewer
   */
  public GarbageCollector of(CollectedTable table, int rowsOfEach) {
    DayPartitions partitions = new DayPartitions(table, database, config.partitions());
    return added(
        new GarbageCollector(
            table.name(),
            new TableRows(table, database),
            Optional.of(new PartitionUpkeep(table, partitions, System::nanoTime)),
            batch(rowsOfEach),
            config,
            registry));
  }

  /** The same for rows that one statement does not delete, of a table without partitions. */
  public GarbageCollector of(String table, int rowsOfEach, ExpiredRows expired) {
    return added(
        new GarbageCollector(
            table, expired, Optional.empty(), batch(rowsOfEach), config, registry));
  }

  private int batch(int rowsOfEach) {
    return Math.max(1, config.batchSize() / rowsOfEach);
  }

  private GarbageCollector added(GarbageCollector collector) {
    collectors.add(collector);
    return collector;
  }

  /** Of the collectors that run. */
  List<CollectionProgress> progress() {
    return collectors.stream().map(GarbageCollector::progress).filter(Objects::nonNull).toList();
  }
}
