package io.onceflow.outbox.internal;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.internal.watchdog.PeriodicTask;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of how many messages wait in the outbox, and for how long the oldest does. They are
 * queried at intervals and not when the metric is read, so that many readers cost one query; they
 * have no value while the database is unavailable. Every replica counts all messages: do not add
 * them up.
 */
public final class OutboxGauges implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(OutboxGauges.class);

  /** As often as dashboards are looked at. */
  private static final Duration EVERY = Duration.ofSeconds(10);

  private final OutboxDepth depth;
  private final MeterRegistry registry;
  private final PeriodicTask looks = new PeriodicTask("outbox-gauges", this::look);
  private volatile @Nullable Look last;
  private boolean isTold;

  /**
   * What was seen.
   *
   * @param waiting messages, counted up to the bound of {@link OutboxDepth}
   * @param oldestSeconds for how long the oldest has waited; 0 when none does
   */
  record Look(long waiting, double oldestSeconds) {}

  public OutboxGauges(OutboxDepth depth, MeterRegistry registry) {
    this.depth = depth;
    this.registry = registry;
  }

  /** Looks until it is closed. */
  public void start() {
    looks.start(Duration.ZERO, EVERY);
  }

  @Override
  public void close() {
    looks.close();
  }

  void look() {
    tell();
    try {
      last = depth.look();
    } catch (SQLException | RuntimeException | Error e) {
      // An Error as well: the last number would be told on.
      last = null;
      LOG.debugf(e, "the outbox cannot be read");
    }
  }

  /** Not before the first look. */
  private void tell() {
    if (isTold) {
      return;
    }
    isTold = true;
    Gauge.builder("onceflow.outbox.waiting", () -> seen(Look::waiting))
        .description("Messages in the outbox, counted up to onceflow.outbox.most-waiting")
        .strongReference(true)
        .register(registry);
    Gauge.builder("onceflow.outbox.oldest.age", () -> seen(Look::oldestSeconds))
        .description("For how long the oldest message in the outbox has waited")
        .baseUnit("seconds")
        .strongReference(true)
        .register(registry);
  }

  private @Nullable Number seen(Function<Look, Number> what) {
    Look look = last;
    return look == null ? null : what.apply(look);
  }
}
