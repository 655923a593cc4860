package io.onceflow.stripe;

import com.stripe.Stripe;
import com.stripe.StripeClient;

/** Makes clients of Stripe's API. */
final class StripeClients {

  /**
   * Sent as {@code Stripe-Version} with each request, whatever the account's default is. It is
   * pinned by the version of the client library ({@code stripe.version} in the root {@code
   * pom.xml}); a test compares the two, so that an update of the library is a decision.
   */
  static final String API_VERSION = Stripe.API_VERSION;

  private StripeClients() {}

  /**
   * @throws IllegalStateException where no key is configured
   */
  static StripeClient client(StripeConfig config) {
    String key =
        config
            .apiKey()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "payments by Stripe need onceflow.stripe.api-key"
                            + " (ONCEFLOW_STRIPE_API_KEY), a restricted or secret key of Stripe"));
    return StripeClient.builder()
        .setApiKey(key)
        .setApiBase(config.url())
        .setConnectTimeout((int) config.connectTimeout().toMillis())
        .setReadTimeout((int) config.readTimeout().toMillis())
        // The inbox counts, spaces and bounds attempts.
        .setMaxNetworkRetries(0)
        .build();
  }
}
