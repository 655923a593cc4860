package io.onceflow.inbox;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Tells how many messages are parked. Looked at at intervals and not when somebody asks; no number
 * is told while the database is away. The same number on every replica.
 */
@ApplicationScoped
class ParkedGauge {

  private static final Logger LOG = Logger.getLogger(ParkedGauge.class);

  /** Whoever has this many knows enough; counting them takes a millisecond. */
  private static final int COUNTED = 1_000;

  private final ParkedMessages parked;
  private final MeterRegistry registry;
  private volatile @Nullable Long last;
  private boolean isTold;

  ParkedGauge(ParkedMessages parked, MeterRegistry registry) {
    this.parked = parked;
    this.registry = registry;
  }

  /** As often as dashboards are looked at. */
  @Scheduled(
      identity = "onceflow.inbox.parked",
      every = "10s",
      concurrentExecution = ConcurrentExecution.SKIP)
  void look() {
    if (!parked.isLookedAfter()) {
      return;
    }
    tell();
    try {
      last = parked.count(COUNTED);
    } catch (SQLException | RuntimeException e) {
      last = null;
      LOG.debugf(e, "parked messages cannot be counted");
    }
  }

  /** Not before there is a table of them. */
  private void tell() {
    if (!isTold) {
      isTold = true;
      Gauge.builder("onceflow.inbox.parked.waiting", () -> last)
          .description("Messages that are parked, counted up to " + COUNTED)
          .register(registry);
    }
  }
}
