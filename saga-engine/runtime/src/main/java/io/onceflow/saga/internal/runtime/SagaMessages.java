package io.onceflow.saga.internal.runtime;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.inbox.internal.consumer.UnreadablePayload;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.saga.Step;
import io.onceflow.saga.internal.engine.SentCommand;
import io.onceflow.saga.internal.store.LockedSaga;
import io.onceflow.saga.internal.store.LockedSaga.RenderedCommand;
import io.onceflow.saga.internal.store.SagaOrigin;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/** Puts the commands of sagas into their envelopes (DESIGN: Messages). */
@Singleton
public final class SagaMessages implements LockedSaga.Payloads {

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
   * @param command of the saga
   * @param payload as it was rendered when the command was sent first
   */
  public OutboxMessage command(
      String subjectType, LockedSaga<?> saga, RenderedCommand command, String payload) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        subjectType,
        saga.origin().subjectId().toString(),
        command.as().type(),
        payload,
        OutboxMessage.COMMANDS,
        command.as().routingKey(),
        saga.state().id().toString(),
        replyTo,
        headers(saga, command.sent()));
  }

  private static Map<String, String> headers(LockedSaga<?> saga, SentCommand sent) {
    SagaOrigin origin = saga.origin();
    Map<String, String> headers = new HashMap<>();
    headers.put(MessageHeaders.IDEMPOTENCY_KEY, origin.rootKey());
    headers.put(MessageHeaders.IDEMPOTENCY_SCOPE, origin.scope());
    headers.put(MessageHeaders.MESSAGE_VERSION, VERSION);
    headers.put(MessageHeaders.SAGA_ORIGIN, origin.origin());
    headers.put(MessageHeaders.SAGA_STEP, sent.name());
    put(headers, MessageHeaders.SAGA_UNDOES, sent.undoes());
    put(headers, MessageHeaders.EXPIRES_AT, sent.expiresAt());
    put(headers, MessageHeaders.TRACEPARENT, origin.traceparent());
    Step<?> step = saga.definition().stepNamed(sent.step());
    if (sent.undoes() == null && step instanceof Step.Send<?> send) {
      send.await()
          .map(Step.Await::within)
          .ifPresent(
              within ->
                  put(headers, MessageHeaders.AWAIT_WITHIN, Long.toString(within.toSeconds())));
    }
    endsWith(sent, step).ifPresent(said -> headers.put(MessageHeaders.ENDS_WITH, said));
    return headers;
  }

  /**
   * After any other outcome it is resent: what does not expire has to be done. A pivot may be
   * refused, and so may what has a fallback; one that may have taken effect is not undone.
   */
  private static Optional<String> endsWith(SentCommand sent, Step<?> step) {
    if (sent.expiresAt() != null) {
      return Optional.empty();
    }
    boolean mayBeRefused =
        sent.undoes() == null
            && step instanceof Step.Send<?> send
            && (send.isPivot() || send.fallback().isPresent());
    String done = ReplyOutcome.DONE.word();
    return Optional.of(mayBeRefused ? done + "," + ReplyOutcome.REFUSED.word() : done);
  }

  private static void put(Map<String, String> headers, String name, @Nullable Object value) {
    if (value != null) {
      headers.put(name, value.toString());
    }
  }

  @Override
  public <R extends Record> R read(String payload, Class<R> type) {
    try {
      return json.readValue(payload, type);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "the payload is no %s: %s".formatted(type.getSimpleName(), UnreadablePayload.why(e)), e);
    }
  }

  @Override
  public String write(Object payload) {
    try {
      return json.writeValueAsString(payload);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(payload.getClass() + " cannot be written as JSON", e);
    }
  }
}
