package io.onceflow.systemtests.chaos.stack;

import io.onceflow.easypostdouble.EasyPostDouble;
import io.onceflow.easypostdouble.EasyPostDouble.TrackerEvents;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the shipping services book at: the simulated carrier, which is a part of them, or a double
 * of EasyPost. Nothing is done to the double; it misbehaves by itself, as EasyPost may.
 */
public final class Carrier implements AutoCloseable {

  private static final String SECRET = "chaos";
  private static final String KEY = "EZTK_double";

  /** Of the requests; each of three kinds. */
  private static final double SHARE_THAT_FAILS = 0.02;

  private static final long LATENCY_MS = 20;

  /** Longer than the double takes for its slowest label. */
  private static final String SETTLES_WITHIN = "PT15S";

  private static final String BY_HAND =
      """
      {"shipment": {
        "to_address": {"name": "Somebody", "street1": "1 Main Street", "city": "Springfield",
                       "zip": "97477", "country": "US"},
        "from_address": {"name": "Onceflow", "street1": "417 Montgomery Street",
                         "city": "San Francisco", "zip": "94104", "country": "US"},
        "parcel": {"weight": 10}}}
      """;

  private final boolean isDouble;
  private final Path folder;
  private @Nullable EasyPostDouble easyPost;

  /**
   * A label.
   *
   * @param reference the key that it was bought under
   */
  public record Label(String reference, boolean isRefunded) {}

  /**
   * Nothing runs yet.
   *
   * @param kind {@code simulated} or {@code easypost-double}
   * @param folder for the double's certificate
   */
  Carrier(String kind, Path folder) throws IOException {
    this.folder = folder;
    isDouble =
        switch (kind.toLowerCase(Locale.ROOT)) {
          case "simulated" -> false;
          case "easypost-double" -> true;
          default ->
              throw new IOException("The carrier may be simulated or easypost-double, not " + kind);
        };
  }

  /**
   * Starts what has to run, and tells the shipping services of it. Each event is sent twice, and
   * both times before the request that caused it is answered.
   *
   * @param shipping which do not run yet; the first is sent the events
   */
  void start(List<Replica> shipping) {
    if (isDouble) {
      String url = shipping.getFirst().url() + "/webhooks/easypost";
      easyPost = EasyPostDouble.start(0, folder, new TrackerEvents(url, SECRET, 2, true));
      easyPost
          .faults()
          .latencyMillis(LATENCY_MS)
          .tooManyRequests(SHARE_THAT_FAILS)
          .errorsAfterEffect(SHARE_THAT_FAILS)
          .lostAnswers(SHARE_THAT_FAILS);
      for (Replica replica : shipping) {
        replica.configure(settings(easyPost));
      }
    }
  }

  private static Map<String, String> settings(EasyPostDouble easyPost) {
    return Map.ofEntries(
        Map.entry("ONCEFLOW_CARRIER", "easypost"),
        Map.entry("ONCEFLOW_EASYPOST_API_KEY", KEY),
        Map.entry("ONCEFLOW_EASYPOST_URL", easyPost.url()),
        Map.entry("ONCEFLOW_EASYPOST_WEBHOOK_SECRETS", SECRET),
        Map.entry("ONCEFLOW_EASYPOST_SETTLING_TIME", SETTLES_WITHIN),
        Map.entry("ONCEFLOW_EASYPOST_SENDER_NAME", "Onceflow"),
        Map.entry("ONCEFLOW_EASYPOST_SENDER_STREET", "417 Montgomery Street"),
        Map.entry("ONCEFLOW_EASYPOST_SENDER_CITY", "San Francisco"),
        Map.entry("ONCEFLOW_EASYPOST_SENDER_STATE", "CA"),
        Map.entry("ONCEFLOW_EASYPOST_SENDER_ZIP", "94104"),
        Map.entry("ONCEFLOW_EASYPOST_SENDER_COUNTRY", "US"),
        // The double's certificate is its own.
        Map.entry("JDK_JAVA_OPTIONS", String.join(" ", easyPost.trustOptions())));
  }

  /**
   * The labels that the double has sold to a person; empty where the shipping services' tables hold
   * the carrier's books.
   */
  public Optional<List<Label>> labels(String recipient) {
    return Optional.ofNullable(easyPost)
        .map(it -> it.boughtFor(recipient).stream().map(Carrier::label).toList());
  }

  private static Label label(Map<String, Object> shipment) {
    Object refund = shipment.get("refund_status");
    return new Label(
        String.valueOf(shipment.get("reference")),
        refund != null
            && List.of("submitted", "refunded", "not_applicable").contains(refund.toString()));
  }

  /** From now on the double does what it is asked for, at once. */
  public void calm() {
    if (easyPost != null) {
      easyPost.faults().none();
    }
  }

  /**
   * Somebody buys a label in the double's dashboard.
   *
   * @return its tracking code; empty where the shipping services' tables hold the books
   */
  public Optional<String> bookByHand() {
    return Optional.ofNullable(easyPost).map(Carrier::bookByHand);
  }

  private static String bookByHand(EasyPostDouble easyPost) {
    String shipments = easyPost.url() + "/v2/shipments";
    Response made = post(shipments, BY_HAND);
    String rate = made.path("rates[0].id");
    Response bought =
        post(
            "%s/%s/buy".formatted(shipments, made.<String>path("id")),
            "{\"rate\": {\"id\": \"%s\"}}".formatted(rate));
    return bought.path("tracking_code");
  }

  private static Response post(String url, String json) {
    Response answer =
        RestAssured.given()
            .relaxedHTTPSValidation()
            .auth()
            .preemptive()
            .basic(KEY, "")
            .contentType(ContentType.JSON)
            .body(json)
            .post(url);
    if (answer.statusCode() >= 300) {
      throw new IllegalStateException("%s was answered %s".formatted(url, answer.asString()));
    }
    return answer;
  }

  /** What it is, in words for the report. */
  public String description() {
    return isDouble ? "EasyPost's double" : "simulated";
  }

  @Override
  public void close() {
    if (easyPost != null) {
      easyPost.close();
    }
  }
}
