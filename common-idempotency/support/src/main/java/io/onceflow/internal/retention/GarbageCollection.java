package io.onceflow.internal.retention;

import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Objects;
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
    GarbageCollector collector = new GarbageCollector(table, database, config, registry);
    collectors.add(collector);
    return collector;
  }

  /** Of the collectors that run. */
  List<CollectionProgress> progress() {
    return collectors.stream().map(GarbageCollector::progress).filter(Objects::nonNull).toList();
  }
}
