package io.onceflow.saga.messaging;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.CannotHandle;
import io.onceflow.inbox.InboundMessage;
import io.onceflow.inbox.ParkingReason;
import io.onceflow.inbox.Unreadable;
import io.onceflow.saga.runtime.ParticipantReply;
import io.onceflow.saga.runtime.SagaRunners;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads replies, and says what is wrong with those that lead nowhere. */
@Singleton
class ReplyReader {

  private final ObjectMapper json;
  private final Map<String, Class<? extends ParticipantReply>> types;

  @Inject
  ReplyReader(ObjectMapper json, SagaRunners sagas) {
    this(json, sagas.replies());
  }

  /**
   * @param types the records that replies are read into, by AMQP type
   */
  ReplyReader(ObjectMapper json, Map<String, Class<? extends ParticipantReply>> types) {
    this.json = json;
    this.types = types;
  }

  /** The saga that a reply names; empty where its correlation id is none. */
  static Optional<UUID> sagaId(InboundMessage message) {
    try {
      return Optional.of(UUID.fromString(String.valueOf(message.correlationId())));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads the payload.
   *
   * @param type the record that it is read into
   * @throws CannotHandle when it is not what its type promises
   */
  ParticipantReply read(InboundMessage message, Class<? extends ParticipantReply> type) {
    try {
      @Nullable ParticipantReply reply = json.readValue(message.payload(), type);
      if (reply == null) {
        throw malformed(message, "it is null");
      }
      return reply;
    } catch (JsonProcessingException e) {
      throw malformed(message, Unreadable.why(e));
    }
  }

  CannotHandle namesNoSaga(InboundMessage message) {
    return isKnown(message)
        ? new CannotHandle(
            ParkingReason.MALFORMED,
            "the correlation-id is \"%s\", not the id of a saga".formatted(message.correlationId()))
        : unknownType(message);
  }

  /** What cannot be read is told to be malformed first: that is wrong whatever saga it is for. */
  CannotHandle sagaNotThere(InboundMessage message) {
    if (!isKnown(message)) {
      return unknownType(message);
    }
    expectReadable(message);
    return new CannotHandle(
        ParkingReason.UNKNOWN_SAGA,
        "%s answers saga %s, which does not exist here"
            .formatted(message.type(), message.correlationId()));
  }

  /**
   * Reads the payload of a reply that is not delivered.
   *
   * @throws CannotHandle when it is not what its type promises; types unknown here are not read
   */
  void expectReadable(InboundMessage message) {
    Class<? extends ParticipantReply> type = types.get(message.type());
    if (type != null) {
      read(message, type);
    }
  }

  private boolean isKnown(InboundMessage message) {
    return types.containsKey(message.type());
  }

  private static CannotHandle unknownType(InboundMessage message) {
    return new CannotHandle(
        ParkingReason.UNKNOWN_TYPE, "type \"%s\" is not handled here".formatted(message.type()));
  }

  private static CannotHandle malformed(InboundMessage message, String why) {
    return new CannotHandle(
        ParkingReason.MALFORMED, "the payload is no %s: %s".formatted(message.type(), why));
  }
}
