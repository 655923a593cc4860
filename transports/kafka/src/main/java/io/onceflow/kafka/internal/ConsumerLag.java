package io.onceflow.kafka.internal;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/** How many records of a queue this process has still to settle, of the partitions it has. */
final class ConsumerLag {

  static final String NAME = "onceflow.kafka.consumer.lag";

  private final AtomicLong records = new AtomicLong();

  static ConsumerLag of(String queue, MeterRegistry metrics) {
    ConsumerLag lag = new ConsumerLag();
    Gauge.builder(NAME, lag.records, AtomicLong::get)
        .description("Records in this process's partitions that are not settled yet")
        .tag("queue", queue)
        .register(metrics);
    return lag;
  }

  void is(long now) {
    records.set(now);
  }
}
