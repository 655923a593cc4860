package io.onceflow.stripe;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.reconciliation.internal.refund.FailedRefunds;
import jakarta.inject.Singleton;
import javax.sql.DataSource;

/** The refunds that Stripe has not made. */
@Singleton
class StripeFailedRefunds extends FailedRefunds {

  private static final String OPEN =
      """
      SELECT reference, key AS refund, failure, created_at, key AS call
      FROM   stripe_refund
      WHERE  failure IS NOT NULL
      AND    resolved_at IS NULL
      """;

  StripeFailedRefunds(StripeConfig config, DataSource database, MeterRegistry registry) {
    super("stripe", OPEN, config.apiKey().isPresent(), database, registry);
  }
}
