package io.onceflow.stripe;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Payments by Stripe. */
@ConfigMapping(prefix = "onceflow.stripe")
public interface StripeConfig {

  /**
   * The API key: a restricted one that may write payment intents and refunds. Required where
   * payments are made by Stripe.
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
   * How long after the last request a charge that was answered with an error may still appear at
   * Stripe. A charge that is given up is settled only after that.
   */
  @WithDefault("PT10M")
  Duration settlingTime();

  /**
   * Whether a payment may wait until its customer has confirmed it or the bank has settled it. If
   * not, payments that need the customer are declined. Steps wait where the saga's definition says
   * so.
   */
  @WithDefault("true")
  boolean mayWait();

  /** How often a waiting payment is read from Stripe, should no event come. */
  @WithDefault("PT2M")
  Duration lookAgainAfter();

  /**
   * The signing secrets of the webhook endpoint: one, or two while the secret is rolled. Without
   * any, {@code POST /webhooks/stripe} answers 404.
   */
  Optional<List<String>> webhookSecrets();

  /** How old an event's signature may be; a second at least. */
  @WithDefault("PT5M")
  Duration webhookTolerance();

  /** How many events are taken at a time; more are answered 503, and Stripe sends them again. */
  @WithDefault("8")
  int webhookConcurrency();

  /**
   * How long requests and events are kept. Longer than {@code onceflow.inbox.retention}, since a
   * compensation may come so late: start-up refuses anything else where there is a key. Longer,
   * too, than the 120 days in which a charge may be disputed.
   */
  @WithDefault("P180D")
  Duration retention();
}
