package io.onceflow.saga.internal.messaging;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.inbox.internal.consumer.StrictJson;
import io.onceflow.inbox.internal.consumer.UnreadablePayload;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.message.Done;
import io.onceflow.message.Refused;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.runtime.MemoryHash;
import io.onceflow.saga.internal.runtime.SagaRunners;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Reads replies, and says what is wrong with those that cannot be delivered. */
@Singleton
public class ReplyReader {

  private static final String NUL = "\\u0000";

  /** The AMQP type under which the product answers for a compensation that returns nothing. */
  private static final String PRODUCT_DONE = "StepDone";

  private final ObjectMapper json;
  private final Map<String, Class<?>> types;

  @Inject
  ReplyReader(ObjectMapper json, SagaRunners sagas) {
    this(json, sagas.replies());
  }

  /**
   * @param json the application's; it may refuse properties of requests that it does not know, but
   *     participants may be newer than the orchestrator
   * @param types the records that replies are read into, by AMQP type
   */
  public ReplyReader(ObjectMapper json, Map<String, Class<?>> types) {
    this.json = StrictJson.of(json).enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
    this.types = types;
  }

  /** The saga that a reply names; empty where its correlation id is none. */
  public static Optional<UUID> sagaId(InboundMessage message) {
    try {
      return Optional.of(UUID.fromString(String.valueOf(message.correlationId())));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads a reply that names its step and its outcome.
   *
   * @param definition that its saga follows
   * @param known the records that replies to sagas of the definition, of any version, are read
   *     into, by AMQP type
   * @return empty where this replica does not know the type as a reply to the saga; another may
   * @throws UnprocessableMessage when the payload is not what its type promises
   */
  public Optional<Reply> read(
      InboundMessage message, SagaDefinition<?> definition, Map<String, Class<?>> known) {
    String step = requireNonNull(message.step());
    Class<?> type = known.get(message.type());
    if (type != null) {
      return Optional.of(read(message, type, definition.stepAnsweredBy(type, step).orElse(step)));
    }
    return isSaidByOutcome(message) || definition.takesAnySuccess(step)
        ? Optional.of(reply(message, step, null))
        : Optional.empty();
  }

  /** Whether every replica that knows its saga's definition knows the reply, whatever its type. */
  static boolean isSaidByOutcome(InboundMessage message) {
    return outcome(message) != ReplyOutcome.DONE || message.type().equals(PRODUCT_DONE);
  }

  Reply read(InboundMessage message, Class<?> type, String step) {
    Object content = content(message, type);
    expectAgreement(
        message, type.isAnnotationPresent(Done.class), type.isAnnotationPresent(Refused.class));
    return reply(message, step, content);
  }

  private RecordReply reply(InboundMessage message, String step, @Nullable Object content) {
    return RecordReply.of(
        step,
        message.type(),
        outcome(message),
        content,
        () -> RefusalReason.of(message.type(), body(message)));
  }

  /** A message that says two things may be forged, or its sender has a bug: neither is believed. */
  private static void expectAgreement(
      InboundMessage message, boolean isSuccess, boolean isRefusal) {
    ReplyOutcome outcome = outcome(message);
    if (outcome == ReplyOutcome.DONE ? isRefusal : isSuccess) {
      throw new UnprocessableMessage(
          ParkingReason.MALFORMED,
          "its type %s says that the step was %s, and the header %s is \"%s\""
              .formatted(
                  message.type(),
                  isRefusal ? "refused" : "done",
                  MessageHeaders.OUTCOME,
                  outcome.name().toLowerCase(Locale.ROOT)));
    }
  }

  /** A reply that names none meets an objection before it is read. */
  private static ReplyOutcome outcome(InboundMessage message) {
    return requireNonNull(message.outcome());
  }

  /** By which a copy of a reply is known. */
  public static String hash(String type, @Nullable ReplyOutcome outcome, byte[] payload) {
    String says = type + " " + (outcome == null ? "" : outcome.word());
    return MemoryHash.of(says.getBytes(StandardCharsets.UTF_8), payload);
  }

  private Object content(InboundMessage message, Class<?> type) {
    try {
      if (message.payload().contains(NUL) && hasNul(json.readTree(message.payload()))) {
        throw malformed(message, "it has a NUL character, which the database does not store");
      }
      @Nullable Object content = json.readValue(message.payload(), type);
      if (content == null) {
        throw malformed(message, "it is null");
      }
      return content;
    } catch (JsonProcessingException e) {
      throw malformed(message, UnreadablePayload.why(e));
    }
  }

  /** In a text of it, at any depth; an escaped backslash before {@code u0000} is none. */
  private static boolean hasNul(JsonNode json) {
    return json.isContainerNode()
        ? StreamSupport.stream(json.spliterator(), false).anyMatch(ReplyReader::hasNul)
        : json.asText().indexOf('\0') >= 0;
  }

  private JsonNode body(InboundMessage message) {
    try {
      return json.readTree(message.payload());
    } catch (JsonProcessingException e) {
      throw malformed(message, UnreadablePayload.why(e));
    }
  }

  public UnprocessableMessage namesNoSaga(InboundMessage message) {
    return isKnown(message)
        ? new UnprocessableMessage(
            ParkingReason.MALFORMED,
            "the correlation-id is \"%s\", not the id of a saga".formatted(message.correlationId()))
        : unknownType(message);
  }

  /** An unreadable message is reported as malformed even when its saga does not exist. */
  UnprocessableMessage sagaNotThere(InboundMessage message) {
    if (!isKnown(message)) {
      return unknownType(message);
    }
    expectReadable(message);
    return new UnprocessableMessage(
        ParkingReason.UNKNOWN_SAGA,
        "%s answers saga %s, which does not exist here"
            .formatted(message.type(), message.correlationId()));
  }

  /**
   * Reads the payload of a reply that is not delivered.
   *
   * @throws UnprocessableMessage when it is not what its type promises; types unknown here are not
   *     read
   */
  void expectReadable(InboundMessage message) {
    Class<?> type = types.get(message.type());
    if (type != null) {
      content(message, type);
    }
  }

  private boolean isKnown(InboundMessage message) {
    return types.containsKey(message.type());
  }

  private static UnprocessableMessage unknownType(InboundMessage message) {
    return new UnprocessableMessage(
        ParkingReason.UNKNOWN_TYPE, "type \"%s\" is not handled here".formatted(message.type()));
  }

  private static UnprocessableMessage malformed(InboundMessage message, String why) {
    return new UnprocessableMessage(
        ParkingReason.MALFORMED, "the payload is no %s: %s".formatted(message.type(), why));
  }
}
