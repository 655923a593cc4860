package io.onceflow.inbox.internal.participant;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.StepOutcome;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.internal.tracing.LogContext;
import io.onceflow.internal.tracing.SpanScope;
import io.onceflow.internal.tracing.Tracing;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.Rejection;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.internal.HandlerMethod;
import io.onceflow.participant.internal.StepView;
import io.opentelemetry.api.trace.SpanKind;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A command that has found its handler.
 *
 * @param message its envelope
 * @param handler decides about it
 * @param payload as the handler reads it
 * @param delivery that brought it; null where it is read back from the row of its step
 */
public record ResolvedCommand(
    InboundMessage message, HandlerMethod handler, Record payload, @Nullable Delivery delivery) {

  /** The delivery that has brought it just now. */
  Delivery arrived() {
    return Objects.requireNonNull(delivery, "it is read back from the row of its step");
  }

  Fingerprint fingerprint() {
    return arrived().fingerprint();
  }

  /** One command may serve two steps of a saga: the sender's name for the step goes first. */
  public StepKey key() {
    String step = message.step();
    return new StepKey(message.rootKey(), step == null ? handler.step() : step, message.origin());
  }

  /** What all commands of one saga share. */
  InboxRow.Id saga() {
    return new InboxRow.Id(message.scope(), message.rootKey().value());
  }

  InboxRow.Id id() {
    return InboxRow.Id.of(message, key());
  }

  /** The row of the action that this one undoes, if it is a compensation. */
  Optional<InboxRow.Id> undoneId() {
    return undoneKey().map(key -> InboxRow.Id.of(message, key));
  }

  /**
   * What the handler may be given.
   *
   * @param reply what the action was answered that this one undoes
   * @param rows the business rows of its subject
   */
  StepView step(@Nullable StepOutcome reply, List<Object> rows) {
    return new StepView(callKey(key()), undoneKey().map(this::callKey).orElse(null), reply, rows);
  }

  private CallKey callKey(StepKey step) {
    return new CallKey(message.scope(), step);
  }

  /** The key of the action that this one undoes, if it is a compensation. */
  private Optional<StepKey> undoneKey() {
    String undoes = message.undoes();
    return handler.undoes().map(own -> key().sibling(undoes == null ? own : undoes));
  }

  /** The action that this compensation undoes will never happen. */
  InboxRow tombstone() {
    return InboxRow.tombstone(
        undoneId().orElseThrow(() -> new IllegalStateException(this + " undoes nothing")));
  }

  /** Why it makes no sense here; empty if it does. */
  Optional<UnprocessableMessage> invalid() {
    String undoes = message.undoes();
    if (undoes != null && handler.undoes().isEmpty()) {
      return Optional.of(
          new UnprocessableMessage(
              ParkingReason.MALFORMED,
              "it undoes %s, and %s is no compensation here: its record has no @Undoes"
                  .formatted(undoes, message.type())));
    }
    List<String> violations = handler.violations(payload);
    return violations.isEmpty()
        ? Optional.empty()
        : Optional.of(CommandReader.malformed(handler.payload(), String.join(", ", violations)));
  }

  UUID subject() {
    return handler.subject(payload);
  }

  /** Its subject; its saga where the payload is invalid and may name no subject. */
  Object subjectOrSaga() {
    return handler.violations(payload).isEmpty() ? subject() : saga();
  }

  /** Whether the saga's interest in it expires; a compensation is wanted until it is done. */
  boolean isGivenUpSomeDay() {
    return handler.undoes().isEmpty() && message.expiresAt() != null;
  }

  boolean isExpired(Instant now) {
    Instant expiresAt = message.expiresAt();
    return isGivenUpSomeDay() && expiresAt != null && !expiresAt.isAfter(now);
  }

  /** Whether the saga waits when this step is answered as pending. */
  boolean mayBePending() {
    return handler.undoes().isEmpty() && message.awaitWithin() != null;
  }

  /**
   * Whether this outcome ends the step, so that a repeated command gets it again. A command that is
   * sent until it is done, as a compensation is, is carried out again after any other.
   */
  boolean isEndedBy(StepOutcome outcome) {
    ReplyOutcome result = outcome.result();
    if (result == ReplyOutcome.DONE) {
      return true;
    }
    Set<ReplyOutcome> endsWith = message.endsWith();
    return handler.undoes().isEmpty() && (endsWith == null || endsWith.contains(result));
  }

  Answer.Reply notDone(Rejection why) {
    return handler.notDone(payload, why);
  }

  Answer.Reply nothingToUndo() {
    return handler.nothingToUndo(payload);
  }

  /**
   * The answer as a message, or empty when no reply is wanted.
   *
   * @param participant the end of the routing key, by which the orchestrator knows the sender
   */
  Optional<OutboxMessage> answer(StepOutcome outcome, String participant) {
    String replyTo = message.replyTo();
    if (replyTo == null) {
      return Optional.empty();
    }
    return Optional.of(
        new OutboxMessage(
            OutboxMessage.newId(),
            "reply",
            subject().toString(),
            outcome.type(),
            outcome.payload(),
            OutboxMessage.REPLIES,
            replyTo + "." + participant,
            message.correlationId(),
            null,
            headers(outcome.result())));
  }

  /** What log lines about it are about. */
  public LogContext about() {
    return LogContext.saga(
        message.correlationId(), subject(), handler.step(), message.traceparent());
  }

  /** A span of a call that it makes. */
  public SpanScope callSpan() {
    return Tracing.begin(SpanKind.CLIENT, "call " + handler.step(), message.traceparent())
        .with("onceflow.step", handler.step())
        .with("onceflow.saga.id", message.correlationId())
        .with("onceflow.subject.id", subject().toString());
  }

  private Map<String, String> headers(ReplyOutcome outcome) {
    Map<String, String> headers = new HashMap<>();
    headers.put(MessageHeaders.IDEMPOTENCY_KEY, message.rootKey().value());
    headers.put(MessageHeaders.IDEMPOTENCY_SCOPE, message.scope());
    headers.put(MessageHeaders.MESSAGE_VERSION, Integer.toString(InboundMessage.VERSION));
    if (!message.origin().isEmpty()) {
      headers.put(MessageHeaders.SAGA_ORIGIN, message.origin());
    }
    putIfKnown(headers, MessageHeaders.SAGA_STEP, message.step());
    headers.put(MessageHeaders.OUTCOME, outcome.word());
    putIfKnown(headers, MessageHeaders.TRACEPARENT, message.traceparent());
    return headers;
  }

  private static void putIfKnown(Map<String, String> headers, String name, @Nullable String value) {
    if (value != null) {
      headers.put(name, value);
    }
  }

  @Override
  public String toString() {
    return message.type() + " under " + key();
  }
}
