package io.onceflow.systemtests;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What Stripe has charged and given back, as its API lists it: page by page, newest first.
 *
 * @param url of the API
 * @param key a secret key
 */
public record StripeBooks(String url, String key) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** A page may be refused because there are too many requests; it is asked for again. */
  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(30);

  /** Stripe lists no more at once. */
  private static final int PAGE = 100;

  /**
   * A payment intent that has succeeded.
   *
   * @param key by which the payment service asked for it; empty if it was somebody else
   * @param orderId likewise
   * @param amount in the unit in which Stripe counts
   * @param currency in capital letters
   */
  public record Charge(String id, String key, String orderId, long amount, String currency) {}

  /**
   * A refund that has not failed.
   *
   * @param chargeId of the payment intent
   */
  public record Refund(String id, String chargeId, long amount) {}

  /** All charges. */
  public List<Charge> charges() {
    return list("/v1/payment_intents").stream()
        .filter(intent -> intent.path("status").asText().equals("succeeded"))
        .map(
            intent ->
                new Charge(
                    intent.path("id").asText(),
                    intent.at("/metadata/onceflow_key").asText(),
                    reference(intent),
                    intent.path("amount_received").asLong(),
                    intent.path("currency").asText().toUpperCase(Locale.ROOT)))
        .toList();
  }

  /** All refunds. */
  public List<Refund> refunds() {
    return list("/v1/refunds").stream()
        .filter(refund -> !List.of("failed", "canceled").contains(refund.path("status").asText()))
        .map(
            refund ->
                new Refund(
                    refund.path("id").asText(),
                    refund.path("payment_intent").asText(),
                    refund.path("amount").asLong()))
        .toList();
  }

  private static String reference(JsonNode intent) {
    return intent.at("/metadata/onceflow_reference").asText();
  }

  private List<JsonNode> list(String path) {
    List<JsonNode> all = new ArrayList<>();
    String after = "";
    boolean hasMore = true;
    while (hasMore) {
      JsonNode page = page(path + "?limit=" + PAGE + after);
      page.path("data").forEach(all::add);
      hasMore = page.path("has_more").asBoolean();
      after = all.isEmpty() ? "" : "&starting_after=" + all.getLast().path("id").asText();
    }
    return all;
  }

  private JsonNode page(String pathAndQuery) {
    return read(
        await("Stripe answers " + pathAndQuery)
            .atMost(ANSWERS_WITHIN)
            .pollDelay(Duration.ZERO)
            .until(() -> get(pathAndQuery), answer -> answer.statusCode() == 200)
            .body());
  }

  private HttpResponse<String> get(String pathAndQuery) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(url + pathAndQuery))
              .timeout(ANSWERS_WITHIN)
              .header("Authorization", "Bearer " + key)
              .build();
      return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode read(String body) {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
