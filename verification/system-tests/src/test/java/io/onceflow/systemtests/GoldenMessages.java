package io.onceflow.systemtests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The messages of docs/messages that one queue gets.
 *
 * @param queue as its consumer declares it
 * @param database of that consumer
 * @param routingKeys of each type of message
 */
record GoldenMessages(
    String queue, String exchange, Database database, Map<String, String> routingKeys) {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final List<String> REPLIES =
      List.of(
          "PaymentProcessed",
          "PaymentDeclined",
          "PaymentRefunded",
          "PaymentReturned",
          "ShipmentArranged",
          "ShipmentRejected",
          "ShipmentCancelled",
          "ReturnArranged",
          "ReturnRejected",
          "ReturnCancelled");

  static Stream<GoldenMessages> ofAllQueues(Stack stack) {
    return Stream.of(
        new GoldenMessages(
            "payment-service.commands",
            Message.COMMANDS,
            stack.paymentsDatabase(),
            Map.of(
                "ProcessPayment",
                "payment.process",
                "RefundPayment",
                "payment.refund",
                "ReturnPayment",
                "payment.return")),
        new GoldenMessages(
            "shipping-service.commands",
            Message.COMMANDS,
            stack.shippingDatabase(),
            Map.of(
                "ArrangeShipment",
                "shipping.arrange",
                "CancelShipment",
                "shipping.cancel",
                "ArrangeReturn",
                "shipping.arrange-return",
                "CancelReturn",
                "shipping.cancel-return")),
        new GoldenMessages(
            "order-service.replies",
            Message.REPLIES,
            stack.ordersDatabase(),
            REPLIES.stream().collect(Collectors.toMap(it -> it, GoldenMessages::replyKey))));
  }

  /** The routing key that names the participant which sends replies of this type. */
  private static String replyKey(String type) {
    return "order-service." + (type.startsWith("Payment") ? "payment" : "shipping") + "-service";
  }

  List<String> types() {
    return routingKeys.keySet().stream().sorted().toList();
  }

  static JsonNode payload(String type) {
    try {
      return JSON.readTree(Project.file("docs/messages/" + type + ".json").toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return queue;
  }
}
