package io.onceflow.stripe;

import com.stripe.Stripe;
import com.stripe.StripeClient;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;

/** Makes clients of Stripe's API. */
@Singleton
class StripeClients {

  /**
   * Sent as {@code Stripe-Version} with each request, whatever the account's default is. The
   * version of the client library pins it ({@code stripe.version} in the root {@code pom.xml}); a
   * test compares the two, so that an update of the library to another API is a decision.
   */
  static final String API_VERSION = Stripe.API_VERSION;

  private final StripeConfig config;
  private final MeterRegistry metrics;

  StripeClients(StripeConfig config, MeterRegistry metrics) {
    this.config = config;
    this.metrics = metrics;
  }

  /**
   * @throws IllegalStateException where no key is configured
   */
  StripeCalls calls() {
    String key =
        config
            .apiKey()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "payments by Stripe need onceflow.stripe.api-key"
                            + " (ONCEFLOW_STRIPE_API_KEY), a restricted or secret key of Stripe"));
    StripeClient client =
        StripeClient.builder()
            .setApiKey(key)
            .setApiBase(config.url())
            .setConnectTimeout((int) config.connectTimeout().toMillis())
            .setReadTimeout((int) config.readTimeout().toMillis())
            // The inbox counts, spaces and bounds attempts.
            .setMaxNetworkRetries(0)
            .build();
    return new StripeCalls(client, metrics);
  }
}
