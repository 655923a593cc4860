package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One of each thing that can be asked for, so that no refusal is only that of something which is
 * not there.
 *
 * @param orderId confirmed
 * @param sagaId its saga's, which has ended
 * @param key under which it was placed
 * @param importId of another order
 * @param parkedIds a message in each service that cannot be handled
 */
record Belongings(
    Customer owner,
    String orderId,
    String sagaId,
    String key,
    String importId,
    Map<String, String> parkedIds) {

  private static final Duration SOON = Duration.ofMinutes(1);

  private static final String PARKED = "SELECT id FROM parked_message WHERE message_id = ?";

  static Belongings of(Customer owner, Stack stack) {
    String key = Customer.newKey();
    Order order = owner.places(OrderForm.GOOD, key).awaitConfirmed();
    String sagaId = owner.get("/orders/" + order.id() + "/saga").path("id");
    owner.postImport(new ImportForm(1).json(), Customer.newKey());
    List<String> imports = owner.get("/order-imports").path("imports.id");
    return new Belongings(owner, order.id(), sagaId, key, imports.getFirst(), park(stack));
  }

  /** Fills in a path's parameters, and the query where there has to be one. */
  String fill(Endpoint endpoint) {
    String path = endpoint.path();
    if (path.matches("/(payments|shipments|return-shipments|simulated-\\w+/ledger)")) {
      return path + "?orderId=" + orderId;
    }
    if (path.equals("/sagas/definitions/{name}/diff")) {
      return "/sagas/definitions/place-order/diff?from=1&to=1";
    }
    return path.replace("/services/{name}", "/services/order-service")
        .replace("/definitions/{name}", "/definitions/another")
        .replace("/books/{name}", "/books/payments")
        .replace("/approvals/{name}", "/approvals/no-approval")
        .replace("{event}", "no-event")
        .replace("{id}", id(endpoint))
        .replace("{step}", "process-payment")
        .replace("{act}", "pause")
        .replace("{key}", key)
        .replace("{reference}", orderId)
        .replace("{shipment}", "shp_1")
        .replace("{type}", "not-found");
  }

  private String id(Endpoint endpoint) {
    if (endpoint.path().contains("/parked-messages/")) {
      return parkedIds.get(endpoint.service());
    }
    return switch (endpoint.path().split("/")[1]) {
      case "orders" -> orderId;
      case "sagas" -> sagaId;
      case "order-imports" -> importId;
      // Of no run and no difference: they are the operators' alone, and no customer's.
      case "reconciliations", "reconciliation-differences" -> orderId;
      default -> "";
    };
  }

  private static Map<String, String> park(Stack stack) {
    try (Broker broker = stack.broker()) {
      Map<String, String> ids = new HashMap<>();
      ids.put(
          "order-service", park(broker, Message.REPLIES, "order-service", stack.ordersDatabase()));
      ids.put(
          "payment-service",
          park(broker, Message.COMMANDS, "payment.process", stack.paymentsDatabase()));
      ids.put(
          "shipping-service",
          park(broker, Message.COMMANDS, "shipping.arrange", stack.shippingDatabase()));
      return ids;
    }
  }

  private static String park(Broker broker, String exchange, String routingKey, Database database) {
    Message message = Message.of(exchange, routingKey, "DoWhatYouLike", "{}");
    broker.publish(message);
    await(message + " is parked")
        .atMost(SOON)
        .untilAsserted(() -> assertThat(database.texts(PARKED, message.id())).hasSize(1));
    return database.texts(PARKED, message.id()).getFirst();
  }
}
