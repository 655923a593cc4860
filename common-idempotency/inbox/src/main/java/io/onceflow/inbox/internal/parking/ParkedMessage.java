package io.onceflow.inbox.internal.parking;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonView;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A message that could not be handled. Lists leave out what only {@link InFull} shows.
 *
 * @param queue where it came from
 * @param messageId AMQP message-id, null where the sender left it out; likewise the next three
 * @param correlationId the saga's id
 * @param replyTo routing key for the answer
 * @param reason a stable word, such as {@code malformed}
 * @param detail what is wrong with it; null for callers who may not see it
 * @param attempts how often handling it has started by itself, redriving not counted
 * @param nextAttemptAt when it is retried by itself; null when it is not, any more
 * @param redrives how often operators have redriven it
 * @param headers as text; null for callers who may not see them
 * @param payload as text, as a redrive uses it; what is not UTF-8 shows as the replacement
 *     character; null for callers who may not see it
 * @param originalPayload as it came; null while it is unchanged, and for callers who may not see it
 * @param editedBy who changed its payload last; null while it is unchanged
 * @param editedAt when that was; null while it is unchanged
 */
public record ParkedMessage(
    UUID id,
    String queue,
    @Nullable String messageId,
    @Nullable String type,
    @Nullable String correlationId,
    @JsonView(InFull.class) @Nullable String replyTo,
    String reason,
    @Nullable String detail,
    Instant parkedAt,
    int attempts,
    @Nullable Instant nextAttemptAt,
    int redrives,
    @JsonView(InFull.class) @Nullable Map<String, String> headers,
    @JsonView(InFull.class) @Nullable String payload,
    @JsonView(InFull.class) @Nullable String originalPayload,
    @Nullable String editedBy,
    @Nullable Instant editedAt) {

  /** As one of many. */
  public interface Listed {}

  /** With all that it carries. */
  public interface InFull extends Listed {}

  /** Bytes of its payload, as it came or as it was edited, the larger of both. */
  int largestPayload() {
    return Math.max(bytes(payload), bytes(originalPayload));
  }

  private static int bytes(@Nullable String text) {
    return text == null ? 0 : text.getBytes(UTF_8).length;
  }

  /** As a caller sees it who may not see what messages hold. */
  public ParkedMessage withoutContents() {
    return with(null, text -> null);
  }

  /** With its texts changed, such as to hide a secret. */
  public ParkedMessage with(UnaryOperator<String> change) {
    return with(headers, text -> text == null ? null : change.apply(text));
  }

  private ParkedMessage with(
      @Nullable Map<String, String> shown, UnaryOperator<@Nullable String> change) {
    return new ParkedMessage(
        id,
        queue,
        messageId,
        type,
        correlationId,
        replyTo,
        reason,
        change.apply(detail),
        parkedAt,
        attempts,
        nextAttemptAt,
        redrives,
        shown,
        change.apply(payload),
        change.apply(originalPayload),
        editedBy,
        editedAt);
  }
}
