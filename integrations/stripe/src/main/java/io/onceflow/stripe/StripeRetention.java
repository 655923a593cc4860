package io.onceflow.stripe;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.RetentionInvalid;
import io.onceflow.sql.ExpiringTable;
import io.onceflow.sql.ExpiringTable.CollectedTable;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Optional;

/** How long the rows of the module's tables are kept. */
@Singleton
class StripeRetention {

  /** What an operator has still to retry or resolve stays. */
  private static final String SETTLED = "(failure IS NULL OR resolved_at IS NOT NULL)";

  /** What was asked; start-up refuses a time that is too short. */
  @Produces
  static ExpiringTable requests(StripeConfig config, InboxConfig inbox) {
    return () -> {
      if (config.apiKey().isPresent()) {
        RetentionInvalid.checkRequests("onceflow.stripe.retention", config.retention(), inbox);
      }
      return Optional.of(CollectedTable.byTime("stripe_request", "created_at", config.retention()));
    };
  }

  /** What was asked to be refunded. */
  @Produces
  static ExpiringTable refunds(StripeConfig config) {
    return () ->
        Optional.of(
            CollectedTable.byTime("stripe_refund", "created_at", config.retention(), SETTLED));
  }

  /** What was told. */
  @Produces
  static ExpiringTable events(StripeConfig config) {
    return () ->
        Optional.of(CollectedTable.byTime("stripe_event", "received_at", config.retention()));
  }
}
