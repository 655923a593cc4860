package io.onceflow.inbox.internal.consumer;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.MalformedIdempotencyKey;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A message whose envelope is in order: it says what it is, whose it is and under which key.
 *
 * @param messageId AMQP message-id, null where the sender left it out
 * @param type such as {@code ProcessPayment}
 * @param version of the payload's shape
 * @param rootKey the client's key
 * @param scope whose key it is
 * @param origin application and definition of the saga, such as {@code order-service/place-order};
 *     empty where the sender names none
 * @param step the step or compensation that a command is for, or that a reply answers; null where
 *     the sender does not say
 * @param undoes the step that a compensation undoes; null where the sender does not say
 * @param outcome of a reply; null where the sender does not say
 * @param correlationId the saga's id, or null
 * @param replyTo routing key for the answer, or null when none is wanted
 * @param expiresAt when the sender stops wanting it, or null for never
 * @param awaitWithin for how long the saga waits for a step that is pending, or null if a step may
 *     not be pending
 * @param endsWith the outcomes that end the step; null where any does
 * @param traceparent W3C trace context, or null
 * @param payload JSON text, as sent
 */
public record InboundMessage(
    @Nullable String messageId,
    String type,
    int version,
    IdempotencyKey rootKey,
    String scope,
    String origin,
    @Nullable String step,
    @Nullable String undoes,
    @Nullable ReplyOutcome outcome,
    @Nullable String correlationId,
    @Nullable String replyTo,
    @Nullable Instant expiresAt,
    @Nullable Duration awaitWithin,
    @Nullable Set<ReplyOutcome> endsWith,
    @Nullable String traceparent,
    String payload) {

  /** The only version of payloads so far. */
  public static final int VERSION = 1;

  /** Java's decoder puts it in the place of what is not UTF-8. */
  private static final char REPLACEMENT = '\uFFFD';

  /** Up to thirty years. */
  private static final Pattern SECONDS = Pattern.compile("[1-9][0-9]{0,8}");

  /**
   * Reads the envelope of a message whose payload is text, as all JSON is.
   *
   * @throws UnprocessableMessage when type or key are missing or malformed, something is longer
   *     than it can be kept, or the payload is not UTF-8
   */
  public static InboundMessage read(Delivery delivery) {
    InboundMessage message = readAnyBytes(delivery);
    if (!message.isTextOf(delivery.body())) {
      throw new UnprocessableMessage(ParkingReason.MALFORMED, "the payload is not UTF-8");
    }
    return message;
  }

  /** Only a text with a replacement character, which is rare, has to be compared. */
  private boolean isTextOf(byte[] body) {
    return payload.indexOf(REPLACEMENT) < 0
        || Arrays.equals(payload.getBytes(StandardCharsets.UTF_8), body);
  }

  /**
   * Reads the envelope of a message whose payload may be any bytes; as text, it has the replacement
   * character where they are not UTF-8.
   */
  static InboundMessage readAnyBytes(Delivery delivery) {
    MessageTooLarge.check(delivery);
    if (delivery.fault() != null) {
      throw new UnprocessableMessage(ParkingReason.MALFORMED, delivery.fault());
    }
    String type = delivery.type();
    if (type == null || type.isBlank()) {
      throw new UnprocessableMessage(
          ParkingReason.UNKNOWN_TYPE, "the AMQP property type is missing");
    }
    EnvelopeLimits.check(delivery);
    return new InboundMessage(
        delivery.messageId(),
        type,
        version(delivery),
        rootKey(delivery),
        scope(delivery),
        delivery.headers().getOrDefault(MessageHeaders.SAGA_ORIGIN, ""),
        delivery.headers().get(MessageHeaders.SAGA_STEP),
        delivery.headers().get(MessageHeaders.SAGA_UNDOES),
        outcome(delivery),
        delivery.correlationId(),
        delivery.replyTo(),
        expiresAt(delivery),
        awaitWithin(delivery),
        endsWith(delivery),
        delivery.headers().get(MessageHeaders.TRACEPARENT),
        new String(delivery.body(), StandardCharsets.UTF_8));
  }

  private static IdempotencyKey rootKey(Delivery delivery) {
    String key = delivery.headers().get(MessageHeaders.IDEMPOTENCY_KEY);
    if (key == null) {
      throw missing(MessageHeaders.IDEMPOTENCY_KEY);
    }
    try {
      return new IdempotencyKey(key);
    } catch (MalformedIdempotencyKey e) {
      throw new UnprocessableMessage(ParkingReason.NO_IDEMPOTENCY_KEY, e.getMessage());
    }
  }

  private static String scope(Delivery delivery) {
    String scope = delivery.headers().get(MessageHeaders.IDEMPOTENCY_SCOPE);
    if (scope == null || scope.isBlank()) {
      throw missing(MessageHeaders.IDEMPOTENCY_SCOPE);
    }
    return scope;
  }

  private static int version(Delivery delivery) {
    String version = delivery.headers().getOrDefault(MessageHeaders.MESSAGE_VERSION, "1");
    if (!version.equals(Integer.toString(VERSION))) {
      throw new UnprocessableMessage(
          ParkingReason.UNSUPPORTED_VERSION,
          "header %s is \"%s\"; this service reads version %s"
              .formatted(MessageHeaders.MESSAGE_VERSION, version, VERSION));
    }
    return VERSION;
  }

  private static @Nullable ReplyOutcome outcome(Delivery delivery) {
    String word = delivery.headers().get(MessageHeaders.OUTCOME);
    return word == null ? null : outcome(MessageHeaders.OUTCOME, word);
  }

  private static @Nullable Set<ReplyOutcome> endsWith(Delivery delivery) {
    String words = delivery.headers().get(MessageHeaders.ENDS_WITH);
    return words == null
        ? null
        : Arrays.stream(words.split(",", -1))
            .map(word -> outcome(MessageHeaders.ENDS_WITH, word.strip()))
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(ReplyOutcome.class)));
  }

  private static ReplyOutcome outcome(String header, String word) {
    return ReplyOutcome.of(word)
        .orElseThrow(
            () ->
                new UnprocessableMessage(
                    ParkingReason.MALFORMED,
                    "header %s is \"%s\", which is no outcome".formatted(header, word)));
  }

  private static @Nullable Instant expiresAt(Delivery delivery) {
    String text = delivery.headers().get(MessageHeaders.EXPIRES_AT);
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new UnprocessableMessage(
          ParkingReason.MALFORMED,
          "header %s is \"%s\", not an ISO-8601 instant"
              .formatted(MessageHeaders.EXPIRES_AT, text));
    }
  }

  private static @Nullable Duration awaitWithin(Delivery delivery) {
    String text = delivery.headers().get(MessageHeaders.AWAIT_WITHIN);
    if (text == null) {
      return null;
    }
    if (!SECONDS.matcher(text).matches()) {
      throw new UnprocessableMessage(
          ParkingReason.MALFORMED,
          "header %s is \"%s\", not a positive number of seconds"
              .formatted(MessageHeaders.AWAIT_WITHIN, text));
    }
    return Duration.ofSeconds(Long.parseLong(text));
  }

  private static UnprocessableMessage missing(String header) {
    return new UnprocessableMessage(
        ParkingReason.NO_IDEMPOTENCY_KEY, "header " + header + " is missing");
  }
}
