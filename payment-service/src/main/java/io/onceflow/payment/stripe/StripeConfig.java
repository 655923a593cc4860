package io.onceflow.payment.stripe;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How Stripe is reached. */
@ConfigMapping(prefix = "onceflow.stripe")
public interface StripeConfig {

  /**
   * The secret key, best a restricted one that may write payment intents and refunds. Required with
   * {@code onceflow.gateway=stripe}.
   */
  Optional<String> apiKey();

  /** The address of the API. */
  @WithDefault("https://api.stripe.com")
  String url();

  /** How long a connection may take to be made. */
  @WithDefault("PT2S")
  Duration connectTimeout();

  /**
   * How long an answer may take. With the connection's, shorter than {@code
   * onceflow.inbox.call-out.deadline}.
   */
  @WithDefault("PT3S")
  Duration readTimeout();

  /**
   * How long after the last request a charge may still turn up at Stripe that was answered with an
   * error. A charge that is given up is settled only after that.
   */
  @WithDefault("PT10M")
  Duration settlingTime();

  /**
   * The secrets of the endpoint for events, one or, while they are changed, two. Without any, no
   * events are taken.
   */
  Optional<List<String>> webhookSecrets();

  /** How old an event's signature may be, and how far it may be in the future. */
  @WithDefault("PT5M")
  Duration webhookTolerance();

  /**
   * How long requests and events are kept. Longer than {@code onceflow.inbox.retention}, since a
   * compensation may come so late.
   */
  @WithDefault("P90D")
  Duration retention();
}
