package io.onceflow.order.messaging;

import static java.util.Map.entry;

import io.onceflow.outbox.internal.MessageHeaders;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the envelopes of replies say, by the type of the reply. */
final class ReplyEnvelopes {

  private static final Map<String, String> STEPS =
      Map.ofEntries(
          entry("PaymentProcessed", "process-payment"),
          entry("PaymentDeclined", "process-payment"),
          entry("PaymentRefunded", "refund-payment"),
          entry("ShipmentArranged", "arrange-shipment"),
          entry("ShipmentRejected", "arrange-shipment"),
          entry("ShipmentCancelled", "cancel-shipment"),
          entry("ReturnArranged", "arrange-return"),
          entry("ReturnRejected", "arrange-return"),
          entry("ReturnCancelled", "cancel-return"),
          entry("PaymentReturned", "return-payment"));

  private static final Set<String> REFUSALS =
      Set.of("PaymentDeclined", "ShipmentRejected", "ReturnRejected");

  private ReplyEnvelopes() {}

  /** The routing key of the participant that sends replies of this type. */
  static String routingKey(String type) {
    return type.startsWith("Payment")
        ? "order-service.payment-service"
        : "order-service.shipping-service";
  }

  /** The step that replies of this type answer. */
  static String step(String type) {
    return Objects.requireNonNullElse(STEPS.get(type), "process-payment");
  }

  /** What a reply of this type says of its step. */
  static String outcome(String type) {
    return REFUSALS.contains(type) ? "refused" : "done";
  }

  /** The origin of the sagas that get replies of this type. */
  static String origin(String type) {
    return type.startsWith("Return") || type.equals("PaymentReturned")
        ? "order-service/return-order"
        : "order-service/place-order";
  }

  /** The headers that a participant sends. */
  static Map<String, String> headers(String type, String customer, @Nullable String rootKey) {
    Map<String, String> headers = new HashMap<>();
    headers.put(MessageHeaders.IDEMPOTENCY_SCOPE, customer);
    headers.put(MessageHeaders.SAGA_ORIGIN, origin(type));
    headers.put(MessageHeaders.SAGA_STEP, step(type));
    headers.put(MessageHeaders.OUTCOME, outcome(type));
    if (rootKey != null) {
      headers.put(MessageHeaders.IDEMPOTENCY_KEY, rootKey);
    }
    return headers;
  }
}
