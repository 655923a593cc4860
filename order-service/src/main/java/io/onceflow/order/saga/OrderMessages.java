package io.onceflow.order.saga;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.InboundMessage;
import io.onceflow.outbox.MessageHeaders;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.saga.store.SagaMessage;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Puts commands and events into their envelopes (DESIGN: Messages). */
@ApplicationScoped
class OrderMessages {

  /** The routing key on {@code onceflow.replies} that this service's queue is bound by. */
  static final String REPLY_TO = "order-service";

  private static final String VERSION = Integer.toString(InboundMessage.VERSION);

  private final ObjectMapper json;

  OrderMessages(ObjectMapper json) {
    this.json = json;
  }

  /**
   * @param subjectType what the saga is about, such as {@code order}
   */
  OutboxMessage command(String subjectType, SagaMessage message) {
    Map<String, String> headers = new HashMap<>();
    headers.put(MessageHeaders.IDEMPOTENCY_KEY, message.rootKey());
    headers.put(MessageHeaders.IDEMPOTENCY_SCOPE, message.scope());
    headers.put(MessageHeaders.MESSAGE_VERSION, VERSION);
    if (!message.origin().isEmpty()) {
      identify(headers, message);
    }
    Instant expiresAt = message.expiresAt();
    if (expiresAt != null) {
      headers.put(MessageHeaders.EXPIRES_AT, expiresAt.toString());
    }
    String traceparent = message.traceparent();
    if (traceparent != null) {
      headers.put(MessageHeaders.TRACEPARENT, traceparent);
    }
    return new OutboxMessage(
        OutboxMessage.newId(),
        subjectType,
        message.subjectId().toString(),
        message.command().type(),
        message.command().payload(),
        OutboxMessage.COMMANDS,
        message.command().routingKey(),
        message.sagaId().toString(),
        REPLY_TO,
        headers);
  }

  /**
   * A saga begun before origins says nothing of them: participants know its steps by the names that
   * they have given them.
   */
  private static void identify(Map<String, String> headers, SagaMessage message) {
    headers.put(MessageHeaders.SAGA_ORIGIN, message.origin());
    headers.put(MessageHeaders.SAGA_STEP, message.name());
    String undoes = message.undoes();
    if (undoes != null) {
      headers.put(MessageHeaders.SAGA_UNDOES, undoes);
    }
  }

  OutboxMessage event(OrderEvent event) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "order",
        event.orderId().toString(),
        event.getClass().getSimpleName(),
        write(event),
        OutboxMessage.EVENTS,
        event.routingKey(),
        null,
        null,
        Map.of(MessageHeaders.MESSAGE_VERSION, VERSION));
  }

  /** Writes a payload as JSON. */
  String write(Object payload) {
    try {
      return json.writeValueAsString(payload);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(payload.getClass() + " cannot be written as JSON", e);
    }
  }
}
