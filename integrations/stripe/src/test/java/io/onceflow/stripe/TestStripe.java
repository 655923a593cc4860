package io.onceflow.stripe;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.StepKey;
import io.onceflow.participant.CallKey;
import io.onceflow.stripedouble.StripeDouble;
import java.time.Clock;
import java.util.UUID;
import javax.sql.DataSource;

/** Payments at the double. */
final class TestStripe {

  static final String API_KEY = "rk_test_double";

  static final StripeRequests.Money MONEY = new StripeRequests.Money(2500, "EUR");

  private TestStripe() {}

  static StripePayments payments(StripeDouble stripe, DataSource database, Clock clock) {
    return payments(stripe, database, clock, API_KEY, new SimpleMeterRegistry());
  }

  static StripePayments payments(
      StripeDouble stripe, DataSource database, Clock clock, String apiKey, MeterRegistry metrics) {
    StripeConfig config = TestStripeConfig.of(stripe.url(), apiKey);
    return new StripePayments(
        config,
        new StripeClients(config, metrics).calls(),
        new StripeRequests(database),
        new StripeRefundTable(database),
        clock);
  }

  static StripeCalls calls(StripeDouble stripe) {
    return new StripeClients(TestStripeConfig.of(stripe.url(), API_KEY), new SimpleMeterRegistry())
        .calls();
  }

  static CallKey newKey() {
    return new CallKey(
        "alice",
        new StepKey(
            new IdempotencyKey(UUID.randomUUID().toString()), "process-payment", "shop/buy"));
  }
}
