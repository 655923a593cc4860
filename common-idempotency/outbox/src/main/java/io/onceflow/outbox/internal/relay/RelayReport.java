package io.onceflow.outbox.internal.relay;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.time.Duration;
import java.util.Collection;
import org.jboss.logging.Logger;

/** Says what became of messages: counts all, and tells of those not delivered in one line. */
final class RelayReport {

  private static final Logger LOG = Logger.getLogger(RelayReport.class);

  private final RelayMetrics metrics;
  private final Duration confirmDeadline;

  RelayReport(RelayMetrics metrics, Duration confirmDeadline) {
    this.metrics = metrics;
    this.confirmDeadline = confirmDeadline;
  }

  RelayReport(MeterRegistry registry, Duration confirmDeadline) {
    this(new RelayMetrics(registry), confirmDeadline);
  }

  /**
   * @param undelivered what stays in the outbox: refused or in doubt
   */
  void published(Published published, Collection<OutboxMessage> undelivered) {
    metrics.published(published, undelivered.size());
    if (undelivered.isEmpty()) {
      return;
    }
    // One line for all: a queue that is missing is missing for thousands.
    OutboxMessage first = undelivered.iterator().next();
    first.about().run(() -> warn(published, undelivered.size(), first));
  }

  private void warn(Published published, int undelivered, OutboxMessage first) {
    LOG.warnf(
        "%d message(s) were not delivered, such as %s %s of %s %s: %s;"
            + " they stay in the outbox and are sent again",
        undelivered,
        first.type(),
        first.id(),
        first.aggregateType(),
        first.aggregateId(),
        published.refused().getOrDefault(first.id(), "no confirm came within " + confirmDeadline));
  }
}
