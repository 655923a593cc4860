package io.onceflow.stripe;

import io.onceflow.internal.retention.CollectedTable;
import io.onceflow.internal.retention.ExpiringTable;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Optional;

/** How long the rows of the module's tables are kept. */
@Singleton
class StripeRetention {

  /** What was asked. */
  @Produces
  static ExpiringTable requests(StripeConfig config) {
    return () ->
        Optional.of(
            CollectedTable.byTime("stripe_request", "key", "created_at", config.retention()));
  }

  /** What was told. */
  @Produces
  static ExpiringTable events(StripeConfig config) {
    return () ->
        Optional.of(CollectedTable.byTime("stripe_event", "id", "received_at", config.retention()));
  }
}
