package io.onceflow.messaging.once.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.ReceivedMessage;
import io.onceflow.inbox.internal.consumer.UnreadablePayload;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.messaging.MessageAttributes;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jspecify.annotations.Nullable;

/** What a method is given for a message: its payload, or the message with the payload read. */
record Arguments(OnceMethod method, ObjectMapper json) {

  /**
   * @throws UnprocessableMessage when the payload cannot be read
   */
  Object of(ReceivedMessage received) {
    Object payload = payload(received);
    return method.takesMessages() ? message(received.delivery(), payload) : payload;
  }

  private Object payload(ReceivedMessage received) {
    JavaType type = method.payload();
    if (type.hasRawClass(byte[].class)) {
      return received.delivery().body();
    }
    return type.hasRawClass(String.class) ? received.message().payload() : parsed(received);
  }

  private Object parsed(ReceivedMessage received) {
    try {
      @Nullable Object payload =
          json.readerFor(method.payload())
              .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
              .readValue(received.message().payload());
      if (payload == null) {
        throw new UnprocessableMessage(ParkingReason.MALFORMED, "the payload is null");
      }
      return payload;
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new UnprocessableMessage(
          ParkingReason.MALFORMED,
          "the payload is no %s: %s".formatted(method.payloadName(), UnreadablePayload.why(e)));
    }
  }

  /** Acknowledged by nothing that the method does: that follows the commit. */
  private static Message<?> message(Delivery delivery, Object payload) {
    Message<?> original =
        delivery.acknowledge() instanceof ChannelReceipt receipt
            ? receipt.message()
            : Message.of(payload);
    return original
        .withPayload(payload)
        .addMetadata(attributes(delivery))
        .withAck(() -> CompletableFuture.completedFuture(null))
        .withNack(Arguments::refused);
  }

  private static MessageAttributes attributes(Delivery delivery) {
    return new MessageAttributes(
        delivery.headers(), delivery.messageId(), delivery.type(), null, null);
  }

  private static CompletionStage<Void> refused(Throwable why) {
    return CompletableFuture.failedFuture(
        new IllegalStateException(
            "an @Once method throws what keeps it from handling a message", why));
  }
}
