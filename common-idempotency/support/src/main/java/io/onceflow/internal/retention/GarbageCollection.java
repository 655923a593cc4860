package io.onceflow.internal.retention;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.sql.ExpiringTable;
import io.onceflow.sql.ExpiringTable.CollectedTable;
import io.quarkus.arc.All;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/**
 * Makes garbage collectors, remembers them for the health check, and ends them with the
 * application; those of the application's tables it starts as well.
 */
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

  void start(@Observes StartupEvent started, @All List<ExpiringTable> tables) {
    for (ExpiringTable table : tables) {
      table
          .expiring()
          .map(it -> of(it.name(), table.rowsOfEach(), new TableRows(it, database)))
          .ifPresent(GarbageCollector::start);
    }
  }

  void stop(@Observes ShutdownEvent stopping) {
    collectors.forEach(GarbageCollector::close);
  }

  /** A collector for one table; one is enough for a process. */
  public GarbageCollector of(CollectedTable table) {
    return of(table.name(), 1, new TableRows(table, database));
  }

  /**
   * A collector for rows that one statement does not delete.
   *
   * @param rowsOfEach how many rows go with each of the table's, itself included: a batch has as
   *     many fewer
   */
  public GarbageCollector of(String table, int rowsOfEach, ExpiredRows expired) {
    int batchSize = Math.max(1, config.batchSize() / rowsOfEach);
    GarbageCollector collector = new GarbageCollector(table, expired, batchSize, config, registry);
    collectors.add(collector);
    return collector;
  }

  /** Of the collectors that run. */
  List<CollectionProgress> progress() {
    return collectors.stream().map(GarbageCollector::progress).filter(Objects::nonNull).toList();
  }
}
