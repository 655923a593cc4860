package io.onceflow.systemtests.chaos.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.systemtests.Message;
import io.onceflow.systemtests.chaos.world.World;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is in messages and answers, and messages of the chaos' own. */
final class Payloads {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Steps that are still to end, in SQL. A probe's command may be purged while its step is under
   * way, and is with the broker alone; no saga sends it again, as it would its own.
   */
  static final String UNDER_WAY =
      " status = 'STARTED' AND (scope <> 'chaos-probe' OR envelope IS NOT NULL"
          + " OR lease_expires_at > now())";

  private Payloads() {}

  /** Which order a message is about; empty if it does not say. */
  static String orderId(Message message) {
    return text(message.payload(), "orderId");
  }

  /** A member of a JSON object; empty if there is none. */
  static String text(@Nullable String json, String name) {
    try {
      JsonNode node = JSON.readTree(json == null ? "" : json);
      return node.path(name).asText("");
    } catch (JsonProcessingException e) {
      return "";
    }
  }

  /** A command to charge an order that no customer placed; no saga sends it again. */
  static Message probe(String orderId, String card) {
    return fromNoSaga("payment.process", "ProcessPayment", charge(orderId, card));
  }

  /** A command to refund such an order. */
  static Message refund(String orderId) {
    return fromNoSaga(
        "payment.refund", "RefundPayment", "{\"orderId\": \"%s\"}".formatted(orderId));
  }

  /** The command to charge an order that a refund undoes, under the same root key. */
  static Message chargeUndoneBy(Message refund) {
    String charge = charge(orderId(refund), "pm_card_visa");
    return refund.followedBy("payment.process", "ProcessPayment", charge);
  }

  private static Message fromNoSaga(String routingKey, String type, String payload) {
    return Message.of(Message.COMMANDS, routingKey, type, payload)
        .withScope("chaos-probe")
        .withReplyTo("chaos.probe");
  }

  private static String charge(String orderId, String card) {
    return """
        {"orderId": "%s", "amount": 100, "currency": "EUR", "paymentMethod": "%s"}\
        """
        .formatted(orderId, card);
  }

  /** A message that the service which consumes it cannot handle. */
  static Message nonsense(String exchange, String routingKey, String type, String payload) {
    return Message.of(exchange, routingKey, type, payload)
        .withScope(World.NONSENSE)
        .withKey(UUID.randomUUID().toString())
        .withReplyTo("chaos.nonsense");
  }
}
