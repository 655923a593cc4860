package io.onceflow.stripe;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.reconciliation.internal.refund.FailedRefunds;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import javax.sql.DataSource;

/** Tells the refunds that Stripe has not made, where there is a key of Stripe's. */
@Singleton
class StripeFailedRefunds {

  static final String OPEN =
      """
      SELECT   reference, key AS refund, failure
      FROM     stripe_refund
      WHERE    failure IS NOT NULL
      AND      resolved_at IS NULL
      ORDER BY created_at, key
      LIMIT    ?
      """;

  private final FailedRefunds refunds;
  private final boolean isUsed;

  StripeFailedRefunds(StripeConfig config, DataSource database, MeterRegistry registry) {
    this.isUsed = config.apiKey().isPresent();
    this.refunds = new FailedRefunds("stripe", OPEN, database, registry);
  }

  void start(@Observes StartupEvent started) {
    if (isUsed) {
      refunds.start();
    }
  }

  void stop(@Observes ShutdownEvent stopping) {
    refunds.close();
  }
}
