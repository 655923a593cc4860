package io.onceflow.launcher.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Answers as the three services would, at one address, except where it is told to go wrong. */
final class FakeOnceflow implements AutoCloseable {

  /** What can go wrong. */
  enum Flaw {
    KEEPS_THE_MONEY,
    CHARGES_TWICE,
    IGNORES_THE_KEY,
    SAGA_NEVER_ENDS,
    SHIPS_TWICE,
    SHIPS_WHAT_IS_REFUSED
  }

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final Set<Flaw> flaws;
  private final Map<String, JsonNode> orders = new HashMap<>();
  private final Map<String, String> orderByKey = new HashMap<>();
  private final Map<String, String> bodyByKey = new HashMap<>();

  private final Set<String> traces = new TreeSet<>();

  FakeOnceflow(Flaw... flaws) throws IOException {
    this.flaws = EnumSet.noneOf(Flaw.class);
    this.flaws.addAll(Set.of(flaws));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  Endpoints endpoints() {
    URI uri = URI.create("http://localhost:" + server.getAddress().getPort());
    return new Endpoints(uri, uri, uri);
  }

  /** The same, charging at Stripe. */
  Endpoints endpointsWithStripe() {
    URI uri = endpoints().orders();
    return new Endpoints(uri, uri, uri, Optional.of(uri), true);
  }

  /** The same, shipping by a real carrier. */
  Endpoints endpointsWithRealCarrier() {
    URI uri = endpoints().orders();
    return new Endpoints(uri, uri, uri, Optional.empty(), false);
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    URI uri = exchange.getRequestURI();
    String id = orderId(uri);
    switch (uri.getPath()) {
      case "/orders" -> place(exchange);
      case "/simulated-gateway/ledger" -> answer(exchange, 200, gatewayLedger(orders.get(id)));
      case "/simulated-carrier/ledger" -> answer(exchange, 200, carrierLedger(orders.get(id)));
      case "/v1/payment_intents" -> answer(exchange, 200, listed("CHARGE"));
      case "/v1/refunds" -> answer(exchange, 200, listed("REFUND"));
      case "/shipments" -> answer(exchange, 200, shipments(orders.get(id)));
      default -> answer(exchange, 200, isSaga(uri) ? saga(orders.get(id)) : order(id));
    }
  }

  private static boolean isSaga(URI uri) {
    return uri.getPath().endsWith("/saga");
  }

  /** From {@code ?orderId=…} or {@code /orders/…}; empty where it is not asked for one order. */
  private static String orderId(URI uri) {
    if (uri.getQuery() != null) {
      return uri.getQuery().substring("orderId=".length());
    }
    String[] segments = uri.getPath().split("/");
    return segments.length > 2 ? segments[2] : "";
  }

  /** Of all orders so far. */
  Set<String> traces() {
    return traces;
  }

  private void place(HttpExchange exchange) throws IOException {
    traces.add(exchange.getRequestHeaders().getFirst("traceparent").substring(3, 35));
    String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    boolean known = bodyByKey.containsKey(key) && !flaws.contains(Flaw.IGNORES_THE_KEY);
    if (known && !bodyByKey.get(key).equals(body)) {
      answer(exchange, 422, "{\"type\": \"/problems/idempotency-key-reused\"}");
      return;
    }
    if (known) {
      exchange.getResponseHeaders().add("Idempotent-Replayed", "true");
    } else {
      bodyByKey.put(key, body);
      orderByKey.put(key, "order-" + orders.size());
      orders.put(orderByKey.get(key), JSON.readTree(body));
    }
    String id = orderByKey.get(key);
    exchange.getResponseHeaders().add("Location", "/orders/" + id);
    answer(exchange, 201, "{\"id\": \"%s\", \"status\": \"PENDING\"}".formatted(id));
  }

  private String order(String id) {
    JsonNode order = orders.get(id);
    if (isDeclined(order)) {
      return "{\"status\": \"CANCELLED\", \"cancellationReason\": \"PAYMENT_DECLINED\"}";
    }
    return isRefused(order)
        ? "{\"status\": \"CANCELLED\", \"cancellationReason\": \"SHIPMENT_REJECTED\"}"
        : "{\"status\": \"CONFIRMED\", \"payment\": {}, \"shipment\": {}}";
  }

  private String saga(JsonNode order) {
    String status = isDeclined(order) || isRefused(order) ? "COMPENSATED" : "COMPLETED";
    return """
    {"definition": "place-order", "version": 1, "status": "%s",
     "history": [{"at": "2026-01-01T10:00:00Z", "event": "STARTED"}]}
    """
        .formatted(flaws.contains(Flaw.SAGA_NEVER_ENDS) ? "STUCK" : status);
  }

  private String gatewayLedger(JsonNode order) {
    if (isDeclined(order)) {
      return "[]";
    }
    String charge = "{\"kind\": \"CHARGE\", \"amount\": 2500}";
    if (flaws.contains(Flaw.CHARGES_TWICE)) {
      return "[%s, %s]".formatted(charge, charge);
    }
    boolean refunds = isRefused(order) && !flaws.contains(Flaw.KEEPS_THE_MONEY);
    return refunds
        ? "[%s, {\"kind\": \"REFUND\", \"amount\": 2500}]".formatted(charge)
        : "[%s]".formatted(charge);
  }

  /** The same entries of all orders as Stripe lists them, among those of others. */
  private String listed(String kind) throws IOException {
    List<String> listed = new ArrayList<>();
    listed.add("{\"id\": \"pi_of_others\", \"status\": \"succeeded\"}");
    for (Map.Entry<String, JsonNode> order : orders.entrySet()) {
      for (JsonNode entry : JSON.readTree(gatewayLedger(order.getValue()))) {
        if (entry.path("kind").asText().equals(kind)) {
          listed.add(
              """
              {"id": "pi_%1$s", "payment_intent": "pi_%1$s", "status": "succeeded",
               "metadata": {"onceflow_reference": "%1$s"}, "amount": 2500, "amount_received": 2500}
              """
                  .formatted(order.getKey()));
        }
      }
    }
    return "{\"data\": [%s]}".formatted(String.join(",", listed));
  }

  private static String carrierLedger(JsonNode order) {
    return isRefused(order) ? "[]" : "[{\"kind\": \"BOOKING\"}]";
  }

  private String shipments(JsonNode order) {
    if (isDeclined(order)) {
      return "[]";
    }
    String shipped = "{\"trackingNumber\": \"EZ1000000001\"}";
    if (isRefused(order)) {
      return flaws.contains(Flaw.SHIPS_WHAT_IS_REFUSED)
          ? "[%s]".formatted(shipped)
          : "[{\"trackingNumber\": null}]";
    }
    return flaws.contains(Flaw.SHIPS_TWICE)
        ? "[%s, %s]".formatted(shipped, shipped)
        : "[%s]".formatted(shipped);
  }

  private static boolean isDeclined(JsonNode order) {
    return order.path("paymentMethod").asText().equals("pm_card_chargeDeclined");
  }

  private static boolean isRefused(JsonNode order) {
    return order.path("shippingAddress").path("country").asText().equals("AQ");
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    try (var out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }
}
