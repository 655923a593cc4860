package io.onceflow.saga.internal.runtime;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A reply that waits for a replica that knows it, as it is listed.
 *
 * @param definition that its saga follows
 * @param version of that definition
 * @param type the AMQP type
 * @param routingKey under which the broker accepted it
 */
public record DeferredReply(
    UUID id,
    UUID sagaId,
    String definition,
    int version,
    String type,
    @Nullable String messageId,
    @Nullable String routingKey,
    Instant receivedAt) {}
