package io.onceflow.easypostdouble;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Carries requests out. What goes wrong is chosen by the postal code and the country, as at the
 * simulated carrier.
 */
final class EasyPostEndpoints {

  private static final Pattern SHIPMENT =
      Pattern.compile("/v2/shipments/([^/]+)(?:/(buy|refund|rerate))?");

  /** Longer than any client waits. */
  private static final long FOR_EVER_MILLIS = 60_000;

  private static final long SLOWLY_MILLIS = 3_000;

  private final EasyPostShipments shipments;
  private final EasyPostFaults faults;
  private final TrackerSender trackers;
  private final Map<String, Integer> attempts = new HashMap<>();

  EasyPostEndpoints(EasyPostShipments shipments, EasyPostFaults faults, TrackerSender trackers) {
    this.shipments = shipments;
    this.faults = faults;
    this.trackers = trackers;
  }

  EasyPostReply get(String path, EasyPostQuery query) {
    if (path.equals("/v2/shipments")) {
      return EasyPostReply.ok(shipments.page(query));
    }
    if (path.equals("/v2/trackers")) {
      return EasyPostReply.ok(shipments.trackers(query));
    }
    Matcher shipment = SHIPMENT.matcher(path);
    return shipment.matches() && shipment.group(2) == null
        ? shipments
            .find(shipment.group(1))
            .map(EasyPostReply::ok)
            .orElseGet(EasyPostReply::notFound)
        : EasyPostReply.notFound();
  }

  EasyPostReply post(String path, Map<String, Object> body) throws InterruptedException {
    if (path.equals("/v2/shipments")) {
      return unreliably(create(map(body, "shipment")));
    }
    Matcher match = SHIPMENT.matcher(path);
    Optional<Map<String, Object>> shipment =
        match.matches() ? shipments.find(match.group(1)) : Optional.empty();
    if (shipment.isEmpty()) {
      return EasyPostReply.notFound();
    }
    return switch (String.valueOf(match.group(2))) {
      case "buy" -> unreliably(buy(shipment.get(), body));
      case "refund" -> unreliably(refund(shipment.get()));
      case "rerate" -> EasyPostReply.ok(shipment.get());
      default -> EasyPostReply.notFound();
    };
  }

  private EasyPostReply create(Map<String, Object> wanted) {
    Map<String, Object> to = map(wanted, "to_address");
    if ("SIM-BAD-ADDRESS".equals(to.get("zip"))) {
      return EasyPostReply.error(422, "ADDRESS.VERIFY.FAILURE", "Unable to verify address.");
    }
    if (map(wanted, "parcel").get("weight") == null || map(wanted, "from_address").isEmpty()) {
      return EasyPostReply.error(422, "SHIPMENT.INVALID_PARAMS", "Unable to create shipment.");
    }
    boolean isReturn = Boolean.TRUE.equals(wanted.get("is_return"));
    boolean isServed =
        !"AQ".equals(to.get("country")) && !(isReturn && "SIM-NO-RETURNS".equals(to.get("zip")));
    return EasyPostReply.created(shipments.create(wanted, isServed ? rates() : List.of()));
  }

  private static List<Map<String, Object>> rates() {
    return List.of(
        rate("DoublePost", "Ground", "7.58"),
        rate("DoublePost", "Express", "28.00"),
        rate("OtherPost", "Parcel", "9.99"));
  }

  private static Map<String, Object> rate(String carrier, String service, String amount) {
    return Map.of(
        "id",
        EasyPostShipments.id("rate_"),
        "object",
        "Rate",
        "carrier",
        carrier,
        "service",
        service,
        "rate",
        amount,
        "currency",
        "USD");
  }

  private EasyPostReply buy(Map<String, Object> shipment, Map<String, Object> body)
      throws InterruptedException {
    String id = String.valueOf(shipment.get("id"));
    if (!shipments.beginBuying(id)) {
      return EasyPostReply.error(
          422, "SHIPMENT.PURCHASE.IN_PROGRESS", "The shipment is being purchased.");
    }
    try {
      return buyAlone(id, shipment, body);
    } finally {
      shipments.endBuying(id);
    }
  }

  private EasyPostReply buyAlone(String id, Map<String, Object> shipment, Map<String, Object> body)
      throws InterruptedException {
    Object wanted = map(body, "rate").get("id");
    Optional<Map<String, Object>> rate =
        list(shipment, "rates").stream().filter(it -> it.get("id").equals(wanted)).findFirst();
    if (rate.isEmpty()) {
      return EasyPostReply.error(422, "SHIPMENT.MISSING_RATE", "The rate is not of this shipment.");
    }
    int attempt = attempt(id);
    String zip = String.valueOf(map(shipment, "to_address").get("zip"));
    Optional<EasyPostReply> refusal = refusal(zip, attempt);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    boolean isTracked = !zip.equals("SIM-NO-TRACKING-CODE");
    Optional<Map<String, Object>> bought = shipments.buy(id, rate.get(), isTracked);
    bought
        .filter(it -> isTracked)
        .ifPresent(it -> trackers.send("tracker.created", map(it, "tracker")));
    EasyPostReply reply =
        bought
            .map(EasyPostReply::ok)
            .orElseGet(
                () ->
                    EasyPostReply.error(422, "SHIPMENT.POSTAGE.EXISTS", "Postage already exists."));
    return switch (zip) {
      case "SIM-LOST-ANSWER" -> attempt == 1 ? reply.lost() : reply;
      case "SIM-ERROR-AFTER-BUY" -> attempt == 1 ? EasyPostReply.failed() : reply;
      default -> reply;
    };
  }

  /** What is answered before the label is bought. */
  private static Optional<EasyPostReply> refusal(String zip, int attempt)
      throws InterruptedException {
    return switch (zip) {
      case "SIM-DOWN" -> {
        Thread.sleep(FOR_EVER_MILLIS);
        yield Optional.of(EasyPostReply.unavailable());
      }
      case "SIM-SLOW" -> {
        Thread.sleep(SLOWLY_MILLIS);
        yield Optional.empty();
      }
      case "SIM-UNAVAILABLE-TWICE" ->
          attempt <= 2 ? Optional.of(EasyPostReply.unavailable()) : Optional.empty();
      case "SIM-RATE-LIMITED-TWICE" ->
          attempt <= 2 ? Optional.of(EasyPostReply.tooManyRequests()) : Optional.empty();
      case "SIM-POSTAGE-FAILURE" ->
          Optional.of(
              EasyPostReply.error(
                  422, "SHIPMENT.POSTAGE.FAILURE", "The carrier refused the postage."));
      default -> Optional.empty();
    };
  }

  private synchronized int attempt(String shipment) {
    return attempts.merge(shipment, 1, Integer::sum);
  }

  private EasyPostReply refund(Map<String, Object> shipment) {
    String zip = String.valueOf(map(shipment, "to_address").get("zip"));
    String status =
        switch (zip) {
          case "SIM-REFUND-REJECTED" -> "rejected";
          case "SIM-BILLED-ON-SCAN" -> "not_applicable";
          default -> "submitted";
        };
    return Optional.of(String.valueOf(shipment.get("id")))
        .filter(id -> !faults.refusesRefunds())
        .flatMap(
            id ->
                shipments.refund(
                    id, faults.refundStatus().isEmpty() ? status : faults.refundStatus()))
        .map(EasyPostReply::ok)
        .orElseGet(
            () ->
                EasyPostReply.error(
                    422, "SHIPMENT.REFUND.UNAVAILABLE", "The shipment cannot be refunded."));
  }

  /** A change that was made, and whose answer may go wrong. */
  private EasyPostReply unreliably(EasyPostReply reply) {
    if (reply.status() < 400 && faults.failsAfterEffect()) {
      return EasyPostReply.failed();
    }
    return reply.status() < 400 && faults.losesAnswer() ? reply.lost() : reply;
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(Map<String, Object> object, String field) {
    return object.get(field) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> list(Map<String, Object> object, String field) {
    return object.get(field) instanceof List<?> list ? (List<Map<String, Object>>) list : List.of();
  }
}
