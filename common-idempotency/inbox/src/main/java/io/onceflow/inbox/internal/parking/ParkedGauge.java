package io.onceflow.inbox.internal.parking;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The metric of how many messages are parked. They are counted at intervals and not when the metric
 * is read; it has no value while the database is unavailable. Every replica reports the same
 * number.
 */
final class ParkedGauge {

  /** Beyond this many the exact number does not matter; counting them takes a millisecond. */
  static final int COUNTED = 1_000;

  private static final Logger LOG = Logger.getLogger(ParkedGauge.class);

  /** As often as dashboards are looked at. */
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

  private volatile @Nullable Long last;
  private long nextNanos = System.nanoTime();

  @FunctionalInterface
  interface Count {
    long take() throws SQLException;
  }

  ParkedGauge(MeterRegistry registry) {
    Gauge.builder("onceflow.inbox.parked.waiting", () -> last)
        .description("Messages that are parked, counted up to " + COUNTED)
        .strongReference(true)
        .register(registry);
    // From zero: the increase of a counter that starts with its first message would be none.
    for (ParkingReason reason : EnumSet.complementOf(EnumSet.of(ParkingReason.DEFERRED))) {
      registry.counter(Parking.COUNTER, "reason", reason.word());
    }
  }

  /** Counts, unless that was done a moment ago; what cannot be counted is for the next time. */
  synchronized void look(Count count) {
    long now = System.nanoTime();
    if (now - nextNanos < 0) {
      return;
    }
    nextNanos = now + EVERY_NANOS;
    try {
      last = count.take();
    } catch (SQLException | RuntimeException e) {
      last = null;
      LOG.debugf(e, "parked messages cannot be counted");
    }
  }
}
