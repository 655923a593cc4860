package io.onceflow.rabbitmq.internal;

import io.onceflow.internal.tracing.SpanScope;
import io.onceflow.internal.tracing.Tracing;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.opentelemetry.api.trace.SpanKind;
import java.util.List;

/**
 * The span of a message from its record in the outbox until it goes to the broker: as long as it
 * has waited. The receiver's span follows from this one. One that is resent has one more.
 */
public final class SendSpans {

  private SendSpans() {}

  /** What goes out to RabbitMQ in place of the messages; the same where tracing is off. */
  public static List<OutgoingMessage> of(List<OutgoingMessage> batch) {
    return of(batch, "rabbitmq");
  }

  /**
   * What goes out in place of the messages; the same where tracing is off.
   *
   * @param system by its name in OpenTelemetry's conventions
   */
  public static List<OutgoingMessage> of(List<OutgoingMessage> batch, String system) {
    return Tracing.isOn() ? batch.stream().map(one -> of(one, system)).toList() : batch;
  }

  private static OutgoingMessage of(OutgoingMessage outgoing, String system) {
    return new OutgoingMessage(
        outgoing.id(),
        outgoing.messages().stream()
            .map(message -> traced(message, outgoing.messages().size(), system))
            .toList());
  }

  /** Messages that no request led to have no trace, and start none. */
  private static OutboxMessage traced(OutboxMessage message, int together, String system) {
    String before = message.headers().get(MessageHeaders.TRACEPARENT);
    if (before == null) {
      return message;
    }
    SpanScope span =
        Tracing.begin(
                SpanKind.PRODUCER,
                "send " + message.type(),
                before,
                builder -> builder.setStartTimestamp(message.recordedAt()))
            .with("messaging.system", system)
            .with("messaging.operation.type", "send")
            .with("messaging.destination.name", message.exchange())
            .with("messaging." + system + ".destination.routing_key", message.routingKey())
            .with("messaging.message.id", message.id().toString())
            .with("messaging.message.conversation_id", message.correlationId())
            .with("messaging.batch.message_count", together);
    span.end();
    return message.with(MessageHeaders.TRACEPARENT, String.valueOf(span.traceparentOr(before)));
  }
}
