package io.onceflow.outbox.internal.relay;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.internal.tracing.LogContext;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import org.jboss.logging.Logger;

/** Reports the outcome of messages: counts all, and logs those not delivered in one line. */
final class RelayReport {

  private static final Logger LOG = Logger.getLogger(RelayReport.class);

  private final Counter confirmed;
  private final Counter refused;
  private final Counter unconfirmed;
  private final Duration confirmDeadline;

  RelayReport(MeterRegistry registry, Duration confirmDeadline) {
    this.confirmed = counter(registry, "confirmed");
    this.refused = counter(registry, "refused");
    this.unconfirmed = counter(registry, "unconfirmed");
    this.confirmDeadline = confirmDeadline;
  }

  private static Counter counter(MeterRegistry registry, String outcome) {
    return Counter.builder("onceflow.outbox.relayed")
        .description("Messages published to the broker, by outcome")
        .tag("outcome", outcome)
        .register(registry);
  }

  /**
   * @param confirms how many were confirmed
   * @param refusals why others were refused, by their ids
   * @param undelivered what stays in the outbox: refused or in doubt
   */
  void published(int confirms, Map<UUID, String> refusals, Collection<OutboxMessage> undelivered) {
    confirmed.increment(confirms);
    refused.increment(refusals.size());
    unconfirmed.increment(Math.max(0, undelivered.size() - refusals.size()));
    if (undelivered.isEmpty()) {
      return;
    }
    // One line for all: a queue that is missing is missing for thousands.
    OutboxMessage first = undelivered.iterator().next();
    LogContext.saga(
            first.correlationId(),
            first.aggregateId(),
            first.type(),
            first.headers().get(MessageHeaders.TRACEPARENT))
        .run(() -> warn(refusals, undelivered.size(), first));
  }

  private void warn(Map<UUID, String> refusals, int undelivered, OutboxMessage first) {
    LOG.warnf(
        "%s message(s) were not delivered, such as %s %s of %s %s: %s;"
            + " they stay in the outbox and are resent",
        undelivered,
        first.type(),
        first.id(),
        first.aggregateType(),
        first.aggregateId(),
        refusals.getOrDefault(first.id(), "no confirm came within " + confirmDeadline));
  }
}
