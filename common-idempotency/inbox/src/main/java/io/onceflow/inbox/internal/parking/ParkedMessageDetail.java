package io.onceflow.inbox.internal.parking;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message that could not be handled, with all that it carries.
 *
 * @param queue where it came from
 * @param messageId AMQP message-id, null where the sender left it out; likewise the next three
 * @param correlationId the saga's id
 * @param replyTo routing key for the answer
 * @param reason a stable word, such as {@code malformed}
 * @param detail what is wrong with it
 * @param attempts how often handling it has begun by itself, redriving not counted
 * @param nextAttemptAt when it is tried again by itself; null when it is not, any more
 * @param headers as text
 * @param payload as text; what is not UTF-8 shows as the replacement character
 */
public record ParkedMessageDetail(
    UUID id,
    String queue,
    @Nullable String messageId,
    @Nullable String type,
    @Nullable String correlationId,
    @Nullable String replyTo,
    String reason,
    String detail,
    Instant parkedAt,
    int attempts,
    @Nullable Instant nextAttemptAt,
    Map<String, String> headers,
    String payload) {}
