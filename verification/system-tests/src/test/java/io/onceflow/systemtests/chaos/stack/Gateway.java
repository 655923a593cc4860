package io.onceflow.systemtests.chaos.stack;

import io.onceflow.stripedouble.StripeDouble;
import io.onceflow.stripedouble.StripeDouble.Webhooks;
import io.onceflow.systemtests.Ports;
import io.onceflow.systemtests.StripeBooks;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the payment services charge at: the simulated gateway, which is a part of them, or a double
 * of Stripe. Nothing is done to the double; it misbehaves by itself, as Stripe's documentation says
 * that Stripe may.
 */
public final class Gateway implements AutoCloseable {

  private static final String KEY = "sk_test_double";
  private static final String SECRET = "whsec_chaos";

  /** Of the requests; each of three kinds. */
  private static final double SHARE_THAT_FAILS = 0.02;

  private static final long LATENCY_MS = 20;

  /** Longer than the double takes for its slowest charge. */
  private static final String SETTLES_WITHIN = "PT15S";

  private final boolean isDouble;
  private final int port;
  private @Nullable StripeDouble stripe;

  /**
   * Nothing runs yet.
   *
   * @param kind {@code simulated} or {@code stripe-double}
   */
  Gateway(String kind) throws IOException {
    isDouble =
        switch (kind.toLowerCase(Locale.ROOT)) {
          case "simulated" -> false;
          case "stripe-double" -> true;
          default ->
              throw new IOException("The gateway may be simulated or stripe-double, not " + kind);
        };
    port = isDouble ? Ports.next() : 0;
  }

  /** What a payment service has to know to charge there. */
  Map<String, String> settings() {
    return isDouble
        ? Map.of(
            "ONCEFLOW_GATEWAY",
            "stripe",
            "ONCEFLOW_STRIPE_API_KEY",
            KEY,
            "ONCEFLOW_STRIPE_URL",
            "http://localhost:" + port,
            "ONCEFLOW_STRIPE_WEBHOOK_SECRETS",
            SECRET,
            "ONCEFLOW_STRIPE_SETTLING_TIME",
            SETTLES_WITHIN)
        : Map.of();
  }

  /**
   * Starts what has to run. Each event is sent twice, and both times before the request that caused
   * it is answered.
   *
   * @param payments a payment service, which is sent the events
   */
  void start(Replica payments) {
    if (isDouble) {
      stripe =
          StripeDouble.start(
              port, new Webhooks(payments.url() + "/webhooks/stripe", SECRET, 2, true));
      stripe
          .faults()
          .latencyMillis(LATENCY_MS)
          .tooManyRequests(SHARE_THAT_FAILS)
          .errorsAfterEffect(SHARE_THAT_FAILS)
          .lostAnswers(SHARE_THAT_FAILS);
    }
  }

  /** The double's books; empty where the payment services' tables hold the gateway's. */
  public Optional<StripeBooks> stripe() {
    return Optional.ofNullable(stripe).map(it -> new StripeBooks(it.url(), KEY));
  }

  /** From now on the double does what it is asked for, at once. */
  public void calm() {
    if (stripe != null) {
      stripe.faults().none();
    }
  }

  /**
   * Somebody charges in the double's dashboard.
   *
   * @return the charge's reference; empty where the payment services' tables hold the books
   */
  public Optional<String> chargeByHand() {
    return Optional.ofNullable(stripe)
        .map(
            it ->
                post(
                    it.url() + "/v1/payment_intents",
                    Map.of(
                        "amount",
                        500,
                        "currency",
                        "eur",
                        "confirm",
                        true,
                        "payment_method",
                        "pm_card_visa")));
  }

  /**
   * Somebody gives a cent of a charge back in the double's dashboard.
   *
   * @return the refund's reference; empty where the payment services' tables hold the books
   */
  public Optional<String> refundByHand(String charge) {
    return Optional.ofNullable(stripe)
        .map(it -> post(it.url() + "/v1/refunds", Map.of("payment_intent", charge, "amount", 1)));
  }

  private static String post(String url, Map<String, ?> form) {
    Response made = RestAssured.given().auth().oauth2(KEY).formParams(form).post(url);
    if (made.statusCode() != 200) {
      throw new IllegalStateException("%s was answered %s".formatted(url, made.asString()));
    }
    return made.path("id");
  }

  /** What it is, in words for the report. */
  public String description() {
    return isDouble ? "Stripe's double" : "simulated";
  }

  @Override
  public void close() {
    if (stripe != null) {
      stripe.close();
    }
  }
}
