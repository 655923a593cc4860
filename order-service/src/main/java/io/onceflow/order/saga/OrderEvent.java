package io.onceflow.order.saga;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.order.domain.Item;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** The events that the order service publishes; the shapes are fixed by {@code docs/messages}. */
sealed interface OrderEvent {

  UUID orderId();

  /** The routing key on {@code onceflow.events}. */
  default String routingKey() {
    return switch (this) {
      case OrderCreated e -> "order.created";
      case OrderConfirmed e -> "order.confirmed";
      case OrderCancelled e -> "order.cancelled";
      case OrderReturned e -> "order.returned";
    };
  }

  /** Its message. */
  default OutboxMessage message(ObjectMapper json) {
    String type = getClass().getSimpleName();
    try {
      return OutboxMessage.event(
          "order", orderId(), routingKey(), type, json.writeValueAsString(this));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(type + " cannot be written as JSON", e);
    }
  }

  /** Sends events when the transaction commits. */
  static void tell(Transaction tx, ObjectMapper json, Stream<OrderEvent> events) {
    tx.send(events.map(event -> event.message(json)).toList());
  }

  /** An order was placed. */
  record OrderCreated(
      UUID orderId, String customer, long totalAmount, String currency, List<Item> items)
      implements OrderEvent {}

  /** It was paid, and its shipment is arranged. */
  record OrderConfirmed(UUID orderId) implements OrderEvent {}

  /** It was undone. */
  record OrderCancelled(UUID orderId, String reason) implements OrderEvent {}

  /** It was given back, and so was its money. */
  record OrderReturned(UUID orderId, UUID returnId) implements OrderEvent {}
}
