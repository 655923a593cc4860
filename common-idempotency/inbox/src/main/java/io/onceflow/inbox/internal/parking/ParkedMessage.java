package io.onceflow.inbox.internal.parking;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message that could not be handled, as it is listed.
 *
 * @param queue where it came from
 * @param messageId AMQP message-id, null where the sender left it out; likewise the next two
 * @param correlationId the saga's id
 * @param reason a stable word, such as {@code malformed}
 * @param detail what is wrong with it
 * @param attempts how often handling it has begun by itself, redriving not counted
 * @param nextAttemptAt when it is tried again by itself; null when it is not, any more
 */
public record ParkedMessage(
    UUID id,
    String queue,
    @Nullable String messageId,
    @Nullable String type,
    @Nullable String correlationId,
    String reason,
    String detail,
    Instant parkedAt,
    int attempts,
    @Nullable Instant nextAttemptAt) {}
