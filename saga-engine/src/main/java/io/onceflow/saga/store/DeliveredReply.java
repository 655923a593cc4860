package io.onceflow.saga.store;

import io.onceflow.saga.Reply;
import java.util.UUID;

/** A reply as it arrives. */
public record DeliveredReply(UUID sagaId, Reply reply) {}
