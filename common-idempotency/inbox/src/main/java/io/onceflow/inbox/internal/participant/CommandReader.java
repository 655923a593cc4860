package io.onceflow.inbox.internal.participant;

import static com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.inbox.internal.consumer.UnreadablePayload;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.participant.internal.HandlerMethod;
import io.onceflow.participant.internal.HandlerMethods;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds each command's handler and reads its payload. */
public final class CommandReader {

  private final HandlerMethods handlers;
  private final ObjectMapper json;

  /** Of what was taken before, and is read as it was read then. */
  private final ObjectReader stored;

  /** Of what comes: an amount that is there twice is no amount. */
  private final ObjectReader arrived;

  public CommandReader(HandlerMethods handlers, ObjectMapper json) {
    this.handlers = handlers;
    this.json = json;
    this.stored = json.reader(FAIL_ON_TRAILING_TOKENS);
    this.arrived = stored.with(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
  }

  /**
   * Reads a message as it came.
   *
   * @throws UnprocessableMessage when it must be parked
   */
  ResolvedCommand read(Delivery delivery) {
    return read(InboundMessage.read(delivery), arrived, delivery);
  }

  /** Reads a message back from where its predecessor stored it. */
  ResolvedCommand readStored(String envelope) {
    return read(parse(stored, envelope, InboundMessage.class), stored, null);
  }

  /** The step that commands of this type are for; empty when there is no handler. */
  Optional<String> stepOf(@Nullable String type) {
    return Optional.ofNullable(type).map(handlers::of).map(HandlerMethod::step);
  }

  /** The types that have a handler. */
  Set<String> types() {
    return handlers.types();
  }

  String store(InboundMessage message) {
    try {
      return json.writeValueAsString(message);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an envelope of strings is always JSON", e);
    }
  }

  private ResolvedCommand read(
      InboundMessage message, ObjectReader reader, @Nullable Delivery delivery) {
    HandlerMethod handler = handlers.of(message.type());
    if (handler == null) {
      throw new UnprocessableMessage(
          ParkingReason.UNKNOWN_COMMAND,
          "type \"%s\" is none of %s".formatted(message.type(), handlers.types()));
    }
    Record payload = parse(reader, message.payload(), handler.payload());
    return new ResolvedCommand(message, handler, payload, delivery);
  }

  private static <T> T parse(ObjectReader reader, String text, Class<T> type) {
    try {
      @Nullable T value = reader.forType(type).readValue(text);
      if (value == null) {
        throw new UnprocessableMessage(ParkingReason.MALFORMED, "the payload is null");
      }
      return value;
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw malformed(type, UnreadablePayload.why(e));
    }
  }

  static UnprocessableMessage malformed(Class<?> type, String why) {
    return new UnprocessableMessage(
        ParkingReason.MALFORMED, "the payload is no %s: %s".formatted(type.getSimpleName(), why));
  }
}
