package io.onceflow.order.messaging;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.CannotHandle;
import io.onceflow.inbox.InboundMessage;
import io.onceflow.inbox.ParkingReason;
import io.onceflow.order.saga.ParticipantReply;
import io.onceflow.saga.store.DeliveredReply;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads replies: the AMQP type names the record. */
@ApplicationScoped
class Replies {

  private static final Map<String, Class<?>> TYPES =
      Arrays.stream(ParticipantReply.class.getPermittedSubclasses())
          .flatMap(ofOneSaga -> Arrays.stream(ofOneSaga.getPermittedSubclasses()))
          .collect(Collectors.toUnmodifiableMap(Class::getSimpleName, Function.identity()));

  private final ObjectMapper json;

  Replies(ObjectMapper json) {
    this.json = json;
  }

  /** The order service's own step for a reply; empty when its type is unknown. */
  Optional<String> recordedAs(InboundMessage message) {
    return TYPES.containsKey(message.type())
        ? Optional.of(payload(message).recordedAs())
        : Optional.empty();
  }

  /**
   * Reads the whole reply.
   *
   * @throws CannotHandle when the payload is not what its type promises, or the saga's id is
   *     missing
   */
  DeliveredReply read(InboundMessage message) {
    return new DeliveredReply(sagaId(message.correlationId()), payload(message));
  }

  private ParticipantReply payload(InboundMessage message) {
    Class<?> type = TYPES.get(message.type());
    try {
      @Nullable Object reply = json.readValue(message.payload(), type);
      if (reply == null) {
        throw malformed(message, "it is null");
      }
      return (ParticipantReply) reply;
    } catch (JsonProcessingException e) {
      throw malformed(message, e.getOriginalMessage());
    }
  }

  private static UUID sagaId(@Nullable String correlationId) {
    try {
      return UUID.fromString(String.valueOf(correlationId));
    } catch (IllegalArgumentException e) {
      throw new CannotHandle(
          ParkingReason.MALFORMED,
          "the correlation-id is \"%s\", not the id of a saga".formatted(correlationId));
    }
  }

  private static CannotHandle malformed(InboundMessage message, String why) {
    return new CannotHandle(
        ParkingReason.MALFORMED, "the payload is no %s: %s".formatted(message.type(), why));
  }
}
