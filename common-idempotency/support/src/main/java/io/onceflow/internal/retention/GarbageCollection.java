package io.onceflow.internal.retention;

import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/** Makes garbage collectors, and remembers those that run for the health check. */
@ApplicationScoped
public class GarbageCollection {

  private final GarbageCollectionConfig config;
  private final DataSource database;
  private final MeterRegistry registry;
  private final Map<String, CollectionProgress> running = new ConcurrentHashMap<>();

  GarbageCollection(GarbageCollectionConfig config, DataSource database, MeterRegistry registry) {
    this.config = config;
    this.database = database;
    this.registry = registry;
  }

  /** A collector for one table; one is enough for a process. */
  public GarbageCollector of(CollectedTable table) {
    CollectionProgress progress = new CollectionProgress(table.name(), config, System::nanoTime);
    return new GarbageCollector(
        table,
        database,
        config,
        progress,
        () -> new GarbageMetrics(registry, table.name(), progress),
        () -> running.put(table.name(), progress),
        () -> running.remove(table.name()));
  }

  List<CollectionProgress> progress() {
    return List.copyOf(running.values());
  }
}
