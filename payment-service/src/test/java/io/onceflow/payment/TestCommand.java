package io.onceflow.payment;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.onceflow.outbox.internal.MessageHeaders;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * A command as the order service sends it, for an order, a saga and a root key of its own.
 *
 * @param messageId null leaves it to the sender: a fresh one each time
 */
record TestCommand(
    String type,
    String routingKey,
    String payload,
    String sagaId,
    Map<String, Object> headers,
    String messageId) {

  static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  static TestCommand of(String type, String routingKey, String payload) {
    return new TestCommand(
        type,
        routingKey,
        payload,
        UUID.randomUUID().toString(),
        Map.of(
            MessageHeaders.IDEMPOTENCY_KEY,
            UUID.randomUUID().toString(),
            MessageHeaders.IDEMPOTENCY_SCOPE,
            "customer-" + UUID.randomUUID(),
            MessageHeaders.MESSAGE_VERSION,
            "1",
            MessageHeaders.TRACEPARENT,
            TRACE),
        UUID.randomUUID().toString());
  }

  static TestCommand processPayment(UUID order, String paymentMethod) {
    return of("ProcessPayment", "payment.process", payload(order, 2500, paymentMethod));
  }

  /** The refund of the same saga, under the same root key. */
  TestCommand refund(UUID order) {
    return new TestCommand(
        "RefundPayment",
        "payment.refund",
        "{\"orderId\": \"%s\"}".formatted(order),
        sagaId,
        headers,
        UUID.randomUUID().toString());
  }

  /** The order is returned: another saga, with a root key of its own, of the same customer. */
  TestCommand giveBack(UUID order) {
    return of("ReturnPayment", "payment.return", "{\"orderId\": \"%s\"}".formatted(order))
        .with(MessageHeaders.IDEMPOTENCY_SCOPE, scope());
  }

  static String payload(UUID order, Object amount, String paymentMethod) {
    return """
    {"orderId": "%s", "amount": %s, "currency": "EUR", "paymentMethod": "%s"}
    """
        .formatted(order, amount, paymentMethod);
  }

  TestCommand with(String header, String value) {
    Map<String, Object> changed = new HashMap<>(headers);
    changed.put(header, value);
    return new TestCommand(type, routingKey, payload, sagaId, changed, messageId);
  }

  TestCommand without(String header) {
    Map<String, Object> changed = new HashMap<>(headers);
    changed.remove(header);
    return new TestCommand(type, routingKey, payload, sagaId, changed, messageId);
  }

  TestCommand withPayload(String other) {
    return new TestCommand(type, routingKey, other, sagaId, headers, UUID.randomUUID().toString());
  }

  TestCommand withType(String other) {
    return new TestCommand(other, routingKey, payload, sagaId, headers, messageId);
  }

  /** As an orchestrator's saga sends it that names its origin. */
  TestCommand from(String origin) {
    return with(MessageHeaders.SAGA_ORIGIN, origin);
  }

  String rootKey() {
    return String.valueOf(headers.get(MessageHeaders.IDEMPOTENCY_KEY));
  }

  String scope() {
    return String.valueOf(headers.get(MessageHeaders.IDEMPOTENCY_SCOPE));
  }

  BasicProperties properties(String replyTo) {
    return new BasicProperties.Builder()
        .messageId(messageId)
        .type(type)
        .contentType("application/json")
        .deliveryMode(2)
        .correlationId(sagaId)
        .replyTo(replyTo)
        .headers(headers)
        .build();
  }

  byte[] body() {
    return payload.getBytes(StandardCharsets.UTF_8);
  }
}
