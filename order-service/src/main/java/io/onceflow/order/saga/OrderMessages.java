package io.onceflow.order.saga;

import io.onceflow.inbox.InboundMessage;
import io.onceflow.outbox.MessageHeaders;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.saga.runtime.SagaMessages;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;

/** Puts events into their envelopes (DESIGN: Messages). */
@ApplicationScoped
class OrderMessages {

  private static final String VERSION = Integer.toString(InboundMessage.VERSION);

  private final SagaMessages messages;

  OrderMessages(SagaMessages messages) {
    this.messages = messages;
  }

  OutboxMessage event(OrderEvent event) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "order",
        event.orderId().toString(),
        event.getClass().getSimpleName(),
        messages.write(event),
        OutboxMessage.EVENTS,
        event.routingKey(),
        null,
        null,
        Map.of(MessageHeaders.MESSAGE_VERSION, VERSION));
  }
}
