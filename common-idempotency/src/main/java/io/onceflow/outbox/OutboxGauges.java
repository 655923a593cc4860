package io.onceflow.outbox;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.function.Function;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Tells how many messages wait in the outbox, and since when the oldest does. Looked at at
 * intervals and not when somebody asks, so that however many ask, the database is read once; no
 * number is told while it is away. Every replica counts all of them: they are not to be added up.
 */
@ApplicationScoped
class OutboxGauges {

  private static final Logger LOG = Logger.getLogger(OutboxGauges.class);

  private final OutboxDepth depth;
  private final MeterRegistry registry;
  private volatile @Nullable Look last;
  private boolean isTold;

  /**
   * What was seen.
   *
   * @param waiting messages, counted up to the bound of {@link OutboxDepth}
   * @param oldestSeconds for how long the oldest has waited; 0 when none does
   */
  record Look(long waiting, double oldestSeconds) {}

  OutboxGauges(OutboxDepth depth, MeterRegistry registry) {
    this.depth = depth;
    this.registry = registry;
  }

  /** As often as dashboards are looked at. */
  @Scheduled(
      identity = "onceflow.outbox.gauges",
      every = "10s",
      concurrentExecution = ConcurrentExecution.SKIP)
  void look() {
    if (!depth.isAsked()) {
      return;
    }
    tell();
    try {
      last = depth.look();
    } catch (SQLException | RuntimeException e) {
      last = null;
      LOG.debugf(e, "the outbox cannot be looked at");
    }
  }

  /** Not before there is an outbox. */
  private void tell() {
    if (isTold) {
      return;
    }
    isTold = true;
    Gauge.builder("onceflow.outbox.waiting", () -> seen(Look::waiting))
        .description("Messages in the outbox, counted up to onceflow.outbox.most-waiting")
        .register(registry);
    Gauge.builder("onceflow.outbox.oldest.age", () -> seen(Look::oldestSeconds))
        .description("For how long the oldest message in the outbox has waited")
        .baseUnit("seconds")
        .register(registry);
  }

  private @Nullable Number seen(Function<Look, Number> what) {
    Look look = last;
    return look == null ? null : what.apply(look);
  }
}
