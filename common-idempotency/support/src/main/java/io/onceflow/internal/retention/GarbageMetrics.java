package io.onceflow.internal.retention;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** What is told of one table's garbage collection. */
final class GarbageMetrics {

  private final Counter deleted;
  private final Timer batch;

  GarbageMetrics(MeterRegistry registry, CollectionProgress progress) {
    String table = progress.table();
    deleted =
        Counter.builder("onceflow.garbage.deleted")
            .description("Expired rows deleted by this process")
            .tag("table", table)
            .register(registry);
    batch =
        Timer.builder("onceflow.garbage.batch")
            .description("Time to delete one batch of expired rows")
            .tag("table", table)
            .register(registry);
    Gauge.builder("onceflow.garbage.backlog", progress, p -> p.backlog().rows())
        .description("Expired rows at the last count, up to " + Backlog.COUNTED)
        .tag("table", table)
        .strongReference(true)
        .register(registry);
    TimeGauge.builder(
            "onceflow.garbage.oldest.age",
            progress,
            TimeUnit.MILLISECONDS,
            p -> p.oldest().toMillis())
        .description("For how long the oldest expired row has been due")
        .tag("table", table)
        .strongReference(true)
        .register(registry);
  }

  void deleted(int rows, long nanos) {
    deleted.increment(rows);
    batch.record(nanos, TimeUnit.NANOSECONDS);
  }
}
