package io.onceflow.systemtests;

import io.restassured.path.json.JsonPath;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A step of a saga whose messages a test makes by hand, for orders that no customer placed. */
enum HandMade {
  PAYMENT {
    @Override
    Message action(UUID order) {
      return command("payment.process", "ProcessPayment", payment(order));
    }

    @Override
    Message actionAfter(Message undo, UUID order) {
      return undo.followedBy("payment.process", "ProcessPayment", payment(order));
    }

    @Override
    Message undo(UUID order) {
      return command("payment.refund", "RefundPayment", about(order));
    }

    @Override
    String undone() {
      return "PaymentRefunded amount 0";
    }

    @Override
    String refused(String reason) {
      return "PaymentDeclined reason " + reason;
    }

    @Override
    List<LedgerEntry> ledger(Stack stack, UUID order) {
      return stack.ledgers().gateway(order.toString());
    }

    @Override
    List<String> doneAndUndone() {
      return List.of("CHARGE", "REFUND");
    }
  },

  SHIPMENT {
    @Override
    Message action(UUID order) {
      return command("shipping.arrange", "ArrangeShipment", shipment(order));
    }

    @Override
    Message actionAfter(Message undo, UUID order) {
      return undo.followedBy("shipping.arrange", "ArrangeShipment", shipment(order));
    }

    @Override
    Message undo(UUID order) {
      return command("shipping.cancel", "CancelShipment", about(order));
    }

    @Override
    String undone() {
      return "ShipmentCancelled";
    }

    @Override
    String refused(String reason) {
      return "ShipmentRejected reason " + reason;
    }

    @Override
    List<LedgerEntry> ledger(Stack stack, UUID order) {
      return stack.ledgers().carrier(order.toString());
    }

    @Override
    List<String> doneAndUndone() {
      return List.of("BOOKING", "CANCELLATION");
    }
  };

  /** The command that asks for the step. */
  abstract Message action(UUID order);

  /** The same, of the saga that has sent the compensation already. */
  abstract Message actionAfter(Message undo, UUID order);

  /** The command that asks for it to be undone. */
  abstract Message undo(UUID order);

  /** The answer to a compensation that finds nothing done, in {@link #words}. */
  abstract String undone();

  /** The answer to an action that is not done, in {@link #words}. */
  abstract String refused(String reason);

  /** What has moved outside for an order. */
  abstract List<LedgerEntry> ledger(Stack stack, UUID order);

  /** The kinds of entries in the books when it was done once and undone once. */
  abstract List<String> doneAndUndone();

  /**
   * An answer's type with what matters of its payload, such as {@code PaymentRefunded amount 0}.
   */
  static String words(Message answer) {
    JsonPath payload = JsonPath.from(answer.payload());
    return answer.type() + part("amount", payload) + part("reason", payload);
  }

  /** Which order an answer is about. */
  static UUID order(Message answer) {
    return UUID.fromString(JsonPath.from(answer.payload()).getString("orderId"));
  }

  private static String part(String name, JsonPath payload) {
    @Nullable Object value = payload.get(name);
    return value == null ? "" : " %s %s".formatted(name, value);
  }

  private static Message command(String routingKey, String type, String payload) {
    return Message.of(Message.COMMANDS, routingKey, type, payload);
  }

  private static String payment(UUID order) {
    return """
    {"orderId": "%s", "amount": 2500, "currency": "EUR", "paymentMethod": "pm_card_visa"}\
    """
        .formatted(order);
  }

  private static String shipment(UUID order) {
    return """
    {"orderId": "%s", "items": [{"sku": "BOOK-42", "quantity": 2}],
     "address": {"name": "Ada Lovelace", "line1": "12 St James's Square", "city": "London",
       "postalCode": "SW1Y 4JH", "country": "GB"}}\
    """
        .formatted(order);
  }

  private static String about(UUID order) {
    return "{\"orderId\": \"%s\"}".formatted(order);
  }
}
