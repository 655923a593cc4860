package io.onceflow.messaging.emitter.internal;

import io.onceflow.messaging.MessageAttributes;
import java.util.Map;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jspecify.annotations.Nullable;

/** Of what a message has besides its payload: all that a row of the outbox can hold. */
final class RecordedAttributes {

  private RecordedAttributes() {}

  /**
   * @throws IllegalArgumentException when it has something that would be lost
   */
  static MessageAttributes of(Message<?> message) {
    MessageAttributes attributes = MessageAttributes.withHeaders(Map.of());
    for (Object metadata : message.getMetadata()) {
      if (!(metadata instanceof MessageAttributes given)) {
        throw new IllegalArgumentException(
            ("the message has metadata of %s, which the outbox does not keep until it is sent; give"
                    + " it a key, headers, a type or a message-id by MessageAttributes")
                .formatted(metadata.getClass().getName()));
      }
      attributes = given;
    }
    refuseWhatIsNotKept(message, attributes.position());
    return attributes;
  }

  private static void refuseWhatIsNotKept(Message<?> message, @Nullable String position) {
    if (position != null) {
      throw new IllegalArgumentException(
          "the message has the position %s; its connector determines it".formatted(position));
    }
    if (isGiven(message.getAckWithMetadata(), Message.EMPTY_ACK)
        || isGiven(message.getNackWithMetadata(), Message.EMPTY_NACK)) {
      throw new IllegalArgumentException(
          "the message has an acknowledgement handler; it is sent after the transaction,"
              + " maybe by another process, so send the payload, or Message.of(payload)");
    }
  }

  private static boolean isGiven(@Nullable Object function, Object none) {
    return function != null && function != none;
  }
}
