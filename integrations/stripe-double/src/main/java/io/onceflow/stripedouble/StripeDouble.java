package io.onceflow.stripedouble;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;

import com.github.tomakehurst.wiremock.WireMockServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stripe's API for payment intents and refunds on a port of this machine, in memory. What it does
 * follows Stripe's documentation, not our client: its <a
 * href="https://docs.stripe.com/api/idempotent_requests">idempotent requests</a>, <a
 * href="https://docs.stripe.com/api/errors">errors</a>, <a
 * href="https://docs.stripe.com/api/pagination">pagination</a>, <a
 * href="https://docs.stripe.com/testing">test payment methods</a> and <a
 * href="https://docs.stripe.com/webhooks#verify-manually">signed webhooks</a>.
 */
public final class StripeDouble implements AutoCloseable {

  /** Calls that hang hold a thread each. */
  private static final int THREADS = 200;

  private final Intents intents = new Intents();
  private final Faults faults = new Faults();
  private final IdempotentRequests requests = new IdempotentRequests();
  private final WebhookSender webhooks;
  private final PaymentParties parties;
  private final Set<String> versions = ConcurrentHashMap.newKeySet();
  private final WireMockServer server;

  private StripeDouble(String host, int port, Webhooks to) {
    webhooks = new WebhookSender(to);
    parties = new PaymentParties(intents, webhooks);
    StripeEndpoints endpoints = new StripeEndpoints(intents, faults, webhooks);
    server =
        new WireMockServer(
            options()
                .port(port)
                .bindAddress(host)
                .containerThreads(THREADS)
                .disableRequestJournal()
                .extensions(new Transformer(requests, endpoints, faults, parties, versions::add)));
  }

  /**
   * Where events are sent, and how.
   *
   * @param url of the receiver; empty where nothing is sent
   * @param secret with which they are signed
   * @param times that each is sent; Stripe says that it may be more than once
   * @param early whether an event is sent before the request that caused it is answered
   */
  public record Webhooks(String url, String secret, int times, boolean early) {

    /** No events. */
    public static final Webhooks NONE = new Webhooks("", "", 0, false);
  }

  /**
   * Starts it on the loopback interface.
   *
   * @param port 0 for any free one
   */
  public static StripeDouble start(int port, Webhooks webhooks) {
    return start("127.0.0.1", port, webhooks);
  }

  /**
   * Starts it.
   *
   * @param host the address of the interface; {@code 0.0.0.0} for all
   */
  static StripeDouble start(String host, int port, Webhooks webhooks) {
    StripeDouble stripe = new StripeDouble(host, port, webhooks);
    stripe.server.start();
    stripe.server.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(200)));
    return stripe;
  }

  /** What the client takes for {@code https://api.stripe.com}. */
  public String url() {
    return "http://localhost:" + server.port();
  }

  /** What goes wrong from now on, besides what payment methods ask for. */
  public Faults faults() {
    return faults;
  }

  /** The payment intents with this metadata, oldest first, as Stripe shows them. */
  public List<Map<String, Object>> intents(String key, String value) {
    return intents.with(key, value);
  }

  /** All refunds of a payment intent, oldest first. */
  public List<Map<String, Object>> refunds(String intent) {
    return intents.refundsOf(intent);
  }

  /** How many requests with an idempotency key have come and are not answered yet. */
  public long requestsUnderWay() {
    return requests.underWay();
  }

  /** What customers and banks do. */
  public PaymentParties parties() {
    return parties;
  }

  /** The values of {@code Stripe-Version} that requests had. */
  public Set<String> versions() {
    return Set.copyOf(versions);
  }

  /** Makes a payment intent older than it is. */
  public void age(String intent, Duration by) {
    intents.age(intent, by);
  }

  /** Forgets all idempotency keys, as Stripe does after at least 24 hours. */
  public void forgetKeys() {
    requests.clear();
  }

  @Override
  public void close() {
    server.stop();
    webhooks.close();
  }
}
