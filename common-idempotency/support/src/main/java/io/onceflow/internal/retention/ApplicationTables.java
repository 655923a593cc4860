package io.onceflow.internal.retention;

import io.quarkus.arc.All;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.ArrayList;
import java.util.List;

/** Garbage collection of the application's tables. */
@ApplicationScoped
class ApplicationTables {

  private final List<ExpiringTable> tables;
  private final GarbageCollection collection;
  private final List<GarbageCollector> collectors = new ArrayList<>();

  ApplicationTables(@All List<ExpiringTable> tables, GarbageCollection collection) {
    this.tables = tables;
    this.collection = collection;
  }

  void start(@Observes StartupEvent started) {
    for (ExpiringTable table : tables) {
      table.expiring().map(it -> collection.of(it, table.rowsOfEach())).ifPresent(collectors::add);
    }
    collectors.forEach(GarbageCollector::start);
  }

  void stop(@Observes ShutdownEvent stopping) {
    collectors.forEach(GarbageCollector::close);
  }
}
