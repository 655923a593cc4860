package io.onceflow.inbox.internal.parking;

import java.time.Instant;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A message that could not be handled, as it is listed.
 *
 * @param queue where it came from
 * @param messageId AMQP message-id, null where the sender left it out; likewise the next two
 * @param correlationId the saga's id
 * @param reason a stable word, such as {@code malformed}
 * @param detail what is wrong with it; null for callers who may not see it
 * @param attempts how often handling it has started by itself, redriving not counted
 * @param nextAttemptAt when it is retried by itself; null when it is not, any more
 * @param redrives how often operators have redriven it
 * @param editedBy who changed its payload last; null until then
 * @param editedAt when that was; null until then
 */
public record ParkedMessage(
    UUID id,
    String queue,
    @Nullable String messageId,
    @Nullable String type,
    @Nullable String correlationId,
    String reason,
    @Nullable String detail,
    Instant parkedAt,
    int attempts,
    @Nullable Instant nextAttemptAt,
    int redrives,
    @Nullable String editedBy,
    @Nullable Instant editedAt) {

  /** As a caller sees it who may not see what messages hold. */
  public ParkedMessage withoutDetail() {
    return withDetail(null);
  }

  /** With its detail changed, such as to hide a secret. */
  public ParkedMessage with(UnaryOperator<String> change) {
    return detail == null ? this : withDetail(change.apply(detail));
  }

  private ParkedMessage withDetail(@Nullable String other) {
    return new ParkedMessage(
        id,
        queue,
        messageId,
        type,
        correlationId,
        reason,
        other,
        parkedAt,
        attempts,
        nextAttemptAt,
        redrives,
        editedBy,
        editedAt);
  }
}
