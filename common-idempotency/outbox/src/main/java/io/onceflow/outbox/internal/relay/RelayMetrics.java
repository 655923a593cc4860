package io.onceflow.outbox.internal.relay;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.outbox.internal.transport.Publisher.Published;

/** What the relay counts. */
public final class RelayMetrics {

  private final Counter confirmed;
  private final Counter refused;
  private final Counter unconfirmed;

  public RelayMetrics(MeterRegistry registry) {
    confirmed = counter(registry, "confirmed");
    refused = counter(registry, "refused");
    unconfirmed = counter(registry, "unconfirmed");
  }

  void published(Published published, int undelivered) {
    confirmed.increment(published.confirmed().size());
    refused.increment(published.refused().size());
    unconfirmed.increment(Math.max(0, undelivered - published.refused().size()));
  }

  private static Counter counter(MeterRegistry registry, String outcome) {
    return Counter.builder("onceflow.outbox.relayed")
        .description("Messages handed to the broker, by what became of them")
        .tag("outcome", outcome)
        .register(registry);
  }
}
