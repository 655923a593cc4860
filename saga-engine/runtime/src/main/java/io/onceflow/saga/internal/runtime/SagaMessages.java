package io.onceflow.saga.internal.runtime;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.saga.internal.store.SagaMessage;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Puts the commands of sagas, and events about their subjects, into their envelopes (DESIGN:
 * Messages).
 */
@Singleton
public final class SagaMessages {

  private static final String VERSION = Integer.toString(InboundMessage.VERSION);

  private final ObjectMapper json;
  private final String replyTo;

  /**
   * @param replyTo the application's name: the routing key on {@code onceflow.replies} that its
   *     queue is bound by
   */
  public SagaMessages(
      ObjectMapper json, @ConfigProperty(name = "quarkus.application.name") String replyTo) {
    this.json = json;
    this.replyTo = replyTo;
  }

  /** Where participants answer to. */
  public String replyTo() {
    return replyTo;
  }

  /**
   * The message of a command.
   *
   * @param subjectType what the saga is about, such as {@code order}
   */
  public OutboxMessage command(String subjectType, SagaMessage message) {
    Map<String, String> headers = new HashMap<>();
    headers.put(MessageHeaders.IDEMPOTENCY_KEY, message.rootKey());
    headers.put(MessageHeaders.IDEMPOTENCY_SCOPE, message.scope());
    headers.put(MessageHeaders.MESSAGE_VERSION, VERSION);
    headers.put(MessageHeaders.SAGA_ORIGIN, message.origin());
    headers.put(MessageHeaders.SAGA_STEP, message.name());
    String undoes = message.undoes();
    if (undoes != null) {
      headers.put(MessageHeaders.SAGA_UNDOES, undoes);
    }
    Instant expiresAt = message.expiresAt();
    if (expiresAt != null) {
      headers.put(MessageHeaders.EXPIRES_AT, expiresAt.toString());
    }
    Duration awaitWithin = message.awaitWithin();
    if (awaitWithin != null) {
      headers.put(MessageHeaders.AWAIT_WITHIN, Long.toString(awaitWithin.toSeconds()));
    }
    if (!message.endsWith().isEmpty()) {
      headers.put(
          MessageHeaders.ENDS_WITH,
          message.endsWith().stream().map(ReplyOutcome::word).collect(Collectors.joining(",")));
    }
    String traceparent = message.traceparent();
    if (traceparent != null) {
      headers.put(MessageHeaders.TRACEPARENT, traceparent);
    }
    return new OutboxMessage(
        OutboxMessage.newId(),
        subjectType,
        message.subjectId().toString(),
        message.command().type(),
        message.command().payload(),
        OutboxMessage.COMMANDS,
        message.command().routingKey(),
        message.sagaId().toString(),
        replyTo,
        headers);
  }

  /**
   * The message of an event, for all who listen.
   *
   * @param subjectType what it tells of, such as {@code order}
   * @param routingKey on {@code onceflow.events}, such as {@code order.created}
   * @param event its record; the simple name is the message's type
   */
  public OutboxMessage event(String subjectType, UUID subjectId, String routingKey, Object event) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        subjectType,
        subjectId.toString(),
        event.getClass().getSimpleName(),
        write(event),
        OutboxMessage.EVENTS,
        routingKey,
        null,
        null,
        Map.of(MessageHeaders.MESSAGE_VERSION, VERSION));
  }

  /** Writes a payload as JSON. */
  public String write(Object payload) {
    try {
      return json.writeValueAsString(payload);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(payload.getClass() + " cannot be written as JSON", e);
    }
  }
}
