package io.onceflow.easypostdouble;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/** Shipments and refunds, in memory. */
final class EasyPostShipments {

  private final Map<String, Map<String, Object>> shipments = new LinkedHashMap<>();
  private final List<Map<String, Object>> refunds = new ArrayList<>();
  private final Set<String> buying = new HashSet<>();

  synchronized Map<String, Object> create(
      Map<String, Object> wanted, List<Map<String, Object>> rates) {
    Map<String, Object> shipment = new LinkedHashMap<>();
    String id = id("shp_");
    String now = now();
    shipment.put("id", id);
    shipment.put("object", "Shipment");
    shipment.put("mode", "test");
    shipment.put("created_at", now);
    shipment.put("updated_at", now);
    shipment.put("reference", wanted.get("reference"));
    shipment.put("is_return", Boolean.TRUE.equals(wanted.get("is_return")));
    shipment.put("to_address", wanted.get("to_address"));
    shipment.put("from_address", wanted.get("from_address"));
    shipment.put("parcel", wanted.get("parcel"));
    shipment.put("rates", rates);
    shipment.put("messages", rates.isEmpty() ? List.of(noService()) : List.of());
    shipment.put("status", "unknown");
    shipment.put("tracking_code", null);
    shipment.put("refund_status", null);
    shipment.put("postage_label", null);
    shipment.put("selected_rate", null);
    shipments.put(id, shipment);
    return copy(shipment);
  }

  private static Map<String, Object> noService() {
    return Map.of(
        "carrier", "DoublePost", "type", "rate_error", "message", "No service to this destination");
  }

  /** By id; or, since references need not be unique, the newest with this reference. */
  synchronized Optional<Map<String, Object>> find(String idOrReference) {
    Map<String, Object> byId = shipments.get(idOrReference);
    return byId != null
        ? Optional.of(copy(byId))
        : shipments.values().stream()
            .filter(it -> idOrReference.equals(it.get("reference")))
            .reduce((older, newer) -> newer)
            .map(EasyPostShipments::copy);
  }

  /** Whether this request may buy: no other one does so at the moment. */
  synchronized boolean beginBuying(String id) {
    return buying.add(id);
  }

  synchronized void endBuying(String id) {
    buying.remove(id);
  }

  /**
   * Buys a label; empty if the shipment has one.
   *
   * @param isTracked whether the carrier gives it a tracking code, which a letter does not have
   */
  synchronized Optional<Map<String, Object>> buy(
      String id, Map<String, Object> rate, boolean isTracked) {
    Map<String, Object> shipment = shipments.get(id);
    if (shipment == null || shipment.get("postage_label") != null) {
      return Optional.empty();
    }
    shipment.put("selected_rate", rate);
    shipment.put("updated_at", now());
    shipment.put(
        "postage_label", Map.of("id", id("pl_"), "label_url", "https://labels.invalid/" + id));
    if (isTracked) {
      shipment.put("tracking_code", "EZ" + id("").substring(0, 20).toUpperCase(Locale.ROOT));
      shipment.put("status", "pre_transit");
      shipment.put("tracker", tracker(shipment, "pre_transit"));
    }
    return Optional.of(copy(shipment));
  }

  /** The tracker of a bought shipment, in a new state. */
  synchronized Map<String, Object> track(String id, String status) {
    Map<String, Object> shipment = shipments.get(id);
    Map<String, Object> tracker = tracker(shipment, status);
    shipment.put("status", status);
    shipment.put("tracker", tracker);
    return tracker;
  }

  private static Map<String, Object> tracker(Map<String, Object> shipment, String status) {
    Map<String, Object> tracker = new LinkedHashMap<>();
    tracker.put("id", "trk_" + String.valueOf(shipment.get("id")).substring(4));
    tracker.put("object", "Tracker");
    tracker.put("tracking_code", shipment.get("tracking_code"));
    tracker.put("shipment_id", shipment.get("id"));
    tracker.put("status", status);
    tracker.put("updated_at", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
    return tracker;
  }

  /** Asks for the money of a label back; empty if there is none to ask for. */
  synchronized Optional<Map<String, Object>> refund(String id, String status) {
    Map<String, Object> shipment = shipments.get(id);
    Object before = shipment.get("refund_status");
    if (shipment.get("postage_label") == null || (before != null && !before.equals("rejected"))) {
      return Optional.empty();
    }
    shipment.put("refund_status", status);
    Map<String, Object> refund = new LinkedHashMap<>();
    refund.put("id", id("rfnd_"));
    refund.put("object", "Refund");
    refund.put("created_at", now());
    refund.put("tracking_code", shipment.get("tracking_code"));
    refund.put("shipment_id", id);
    refund.put("status", status);
    refunds.add(refund);
    return Optional.of(copy(shipment));
  }

  /** The carrier rejects what was submitted. */
  synchronized void rejectRefund(String id) {
    shipments.get(id).put("refund_status", "rejected");
  }

  synchronized List<Map<String, Object>> refundsOf(String id) {
    return refunds.stream().filter(it -> id.equals(it.get("shipment_id"))).toList();
  }

  synchronized List<Map<String, Object>> with(Predicate<Map<String, Object>> wanted) {
    return shipments.values().stream().filter(wanted).map(EasyPostShipments::copy).toList();
  }

  /** Bought shipments, newest first, as EasyPost lists them. */
  synchronized Map<String, Object> page(EasyPostQuery query) {
    List<Map<String, Object>> chosen =
        with(it -> it.get("postage_label") != null && query.covers(it)).reversed();
    int start =
        query
            .get("before_id")
            .map(id -> chosen.stream().map(it -> it.get("id")).toList().indexOf(id) + 1)
            .orElse(0);
    int end = Math.min(chosen.size(), start + query.pageSize());
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("shipments", chosen.subList(start, end));
    page.put("has_more", end < chosen.size());
    return page;
  }

  /** The trackers of a code. */
  synchronized Map<String, Object> trackers(EasyPostQuery query) {
    Object code = query.get("tracking_code").orElse("");
    List<Object> trackers =
        with(it -> it.get("tracker") != null && code.equals(it.get("tracking_code"))).stream()
            .map(it -> it.get("tracker"))
            .toList();
    return Map.of("trackers", trackers, "has_more", false);
  }

  private static Map<String, Object> copy(Map<String, Object> object) {
    return new LinkedHashMap<>(object);
  }

  private static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  static String id(String prefix) {
    return prefix + UUID.randomUUID().toString().replace("-", "");
  }
}
