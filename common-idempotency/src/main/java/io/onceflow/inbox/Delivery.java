package io.onceflow.inbox;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as the transport handed it over, before anybody has looked into it: all that a
 * transport has to offer to feed an {@link Intake}.
 *
 * @param queue where it came from
 * @param messageId AMQP message-id, null where the sender left it out; likewise the next three
 * @param type names the payload's shape, such as {@code ProcessPayment}
 * @param correlationId the saga's id
 * @param replyTo routing key for the answer
 * @param headers as text
 * @param body the payload, byte for byte
 * @param acknowledge tells the transport that the message is settled for good (rule 2: only after
 *     the commit); never throws
 */
public record Delivery(
    String queue,
    @Nullable String messageId,
    @Nullable String type,
    @Nullable String correlationId,
    @Nullable String replyTo,
    Map<String, String> headers,
    byte[] body,
    Runnable acknowledge) {

  /** For logs: what it calls itself. */
  @Override
  public String toString() {
    return "%s %s from %s".formatted(type, messageId, queue);
  }
}
