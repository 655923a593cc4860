package io.onceflow.stripedouble;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Payment intents and refunds, in memory. */
final class Intents {

  private final Map<String, Map<String, Object>> intents = new LinkedHashMap<>();
  private final Map<String, Map<String, Object>> refunds = new LinkedHashMap<>();

  synchronized Map<String, Object> create(Form form, String status) {
    Map<String, Object> intent = new LinkedHashMap<>();
    String id = id("pi_");
    intent.put("id", id);
    intent.put("object", "payment_intent");
    intent.put("amount", form.number("amount", 0));
    intent.put("amount_received", 0L);
    intent.put("currency", form.get("currency").orElse(""));
    intent.put("created", Instant.now().getEpochSecond());
    intent.put("livemode", false);
    intent.put("metadata", form.map("metadata"));
    intent.put("payment_method", form.get("payment_method").orElse(null));
    intent.put("client_secret", id + "_secret_" + id(""));
    intents.put(id, intent);
    become(intent, status);
    return copy(intent);
  }

  private static void become(Map<String, Object> intent, String status) {
    intent.put("status", status);
    intent.put("next_action", status.equals("requires_action") ? authentication(intent) : null);
    if (status.equals("succeeded")) {
      intent.put("amount_received", intent.get("amount"));
      intent.put("latest_charge", id("ch_"));
    }
  }

  private static Map<String, Object> authentication(Map<String, Object> intent) {
    return Map.of(
        "type",
        "use_stripe_sdk",
        "use_stripe_sdk",
        Map.of("type", "three_d_secure_redirect", "source", "src_" + intent.get("id")));
  }

  /** Records why the last attempt to pay failed. */
  synchronized void failed(String id, String code, String declineCode) {
    Map<String, Object> intent = intents.get(id);
    if (intent != null) {
      intent.put(
          "last_payment_error",
          Map.of("type", "card_error", "code", code, "decline_code", declineCode));
    }
  }

  /** A refund that the bank sends back. */
  synchronized Optional<Map<String, Object>> failRefund(String id) {
    Map<String, Object> refund = refunds.get(id);
    if (refund == null) {
      return Optional.empty();
    }
    refund.put("status", "failed");
    refund.put("failure_reason", "expired_or_canceled_card");
    return Optional.of(copy(refund));
  }

  synchronized Optional<Map<String, Object>> find(String id) {
    return Optional.ofNullable(intents.get(id)).map(Intents::copy);
  }

  /** Changes the status, unless it has changed meanwhile. */
  synchronized Optional<Map<String, Object>> move(String id, List<String> from, String to) {
    Map<String, Object> intent = intents.get(id);
    if (intent == null || !from.contains(String.valueOf(intent.get("status")))) {
      return Optional.empty();
    }
    become(intent, to);
    return Optional.of(copy(intent));
  }

  /** A refund of all that is left; empty if nothing is. */
  synchronized Optional<Map<String, Object>> refund(String intent, Form form, String status) {
    Map<String, Object> charged = intents.get(intent);
    long left = (Long) charged.get("amount_received") - refunded(intent);
    long amount = form.number("amount", left);
    if (left == 0 || amount > left) {
      return Optional.empty();
    }
    Map<String, Object> refund = new LinkedHashMap<>();
    refund.put("id", id("re_"));
    refund.put("object", "refund");
    refund.put("amount", amount);
    refund.put("currency", charged.get("currency"));
    refund.put("created", Instant.now().getEpochSecond());
    refund.put("payment_intent", intent);
    refund.put("metadata", form.map("metadata"));
    refund.put("status", status);
    if (status.equals("failed")) {
      refund.put("failure_reason", "expired_or_canceled_card");
    }
    refunds.put(String.valueOf(refund.get("id")), refund);
    return Optional.of(copy(refund));
  }

  private long refunded(String intent) {
    return refundsOf(intent).stream()
        .filter(refund -> !List.of("failed", "canceled").contains(refund.get("status")))
        .mapToLong(refund -> (Long) refund.get("amount"))
        .sum();
  }

  synchronized List<Map<String, Object>> refundsOf(String intent) {
    return refunds.values().stream()
        .filter(refund -> intent.equals(refund.get("payment_intent")))
        .map(Intents::copy)
        .toList();
  }

  synchronized List<Map<String, Object>> with(String key, String value) {
    return intents.values().stream()
        .filter(intent -> value.equals(((Map<?, ?>) intent.get("metadata")).get(key)))
        .map(Intents::copy)
        .toList();
  }

  synchronized void age(String id, Duration by) {
    intents.get(id).merge("created", -by.toSeconds(), (at, more) -> (Long) at + (Long) more);
  }

  /** A page of intents, newest first, as Stripe lists them. */
  synchronized Map<String, Object> listIntents(Form query) {
    Map<String, Object> page =
        page(new ArrayList<>(intents.values()), query, "/v1/payment_intents");
    if (query.get("expand[0]").equals(Optional.of("data.latest_charge"))) {
      ((List<?>) page.get("data")).forEach(this::expandCharge);
    }
    return page;
  }

  @SuppressWarnings("unchecked")
  private void expandCharge(Object listed) {
    Map<String, Object> intent = (Map<String, Object>) listed;
    if (intent.get("latest_charge") != null) {
      Map<String, Object> charge = new LinkedHashMap<>();
      charge.put("id", intent.get("latest_charge"));
      charge.put("object", "charge");
      charge.put("amount", intent.get("amount_received"));
      charge.put("amount_refunded", refunded(String.valueOf(intent.get("id"))));
      charge.put("currency", intent.get("currency"));
      intent.put("latest_charge", charge);
    }
  }

  /** A page of refunds, newest first. */
  synchronized Map<String, Object> listRefunds(Form query) {
    List<Map<String, Object>> chosen =
        query
            .get("payment_intent")
            .map(this::refundsOf)
            .orElseGet(() -> List.copyOf(refunds.values()));
    return page(chosen, query, "/v1/refunds");
  }

  private static Map<String, Object> page(
      List<Map<String, Object>> oldestFirst, Form query, String url) {
    long from = query.number("created[gte]", Long.MIN_VALUE);
    long to =
        Math.min(
            query.number("created[lte]", Long.MAX_VALUE),
            query.number("created[lt]", Long.MAX_VALUE) - 1);
    List<Map<String, Object>> chosen =
        oldestFirst.reversed().stream()
            .filter(it -> (Long) it.get("created") >= from && (Long) it.get("created") <= to)
            .toList();
    int start =
        query
            .get("starting_after")
            .map(id -> chosen.stream().map(it -> it.get("id")).toList().indexOf(id) + 1)
            .orElse(0);
    int end = (int) Math.min(chosen.size(), start + query.number("limit", 10));
    Map<String, Object> list = new LinkedHashMap<>();
    list.put("object", "list");
    list.put("url", url);
    list.put("has_more", end < chosen.size());
    list.put("data", chosen.subList(start, end).stream().map(Intents::copy).toList());
    return list;
  }

  private static Map<String, Object> copy(Map<String, Object> object) {
    return new LinkedHashMap<>(object);
  }

  static String id(String prefix) {
    return prefix + UUID.randomUUID().toString().replace("-", "");
  }
}
