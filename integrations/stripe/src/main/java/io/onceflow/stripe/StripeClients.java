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

  /** Of requests that nothing else repeats; they only read. */
  private static final int RETRIES_OF_READING = 2;

  private final StripeConfig config;
  private final MeterRegistry metrics;

  StripeClients(StripeConfig config, MeterRegistry metrics) {
    this.config = config;
    this.metrics = metrics;
  }

  /**
   * For charges and refunds: the inbox counts, spaces and bounds attempts.
   *
   * @throws IllegalStateException where no key is configured
   */
  StripeCalls calls() {
    return calls(0);
  }

  /**
   * For reading Stripe's lists.
   *
   * @throws IllegalStateException where no key is configured
   */
  StripeCalls readingCalls() {
    return calls(RETRIES_OF_READING);
  }

  private StripeCalls calls(int retries) {
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
            .setMaxNetworkRetries(retries)
            .build();
    return new StripeCalls(client, metrics);
  }
}
