package io.onceflow.saga.internal.store;

import io.onceflow.saga.internal.Reply;
import java.util.UUID;

/**
 * A reply as it arrives.
 *
 * @param step the step or compensation that it answers
 */
public record DeliveredReply(UUID sagaId, Reply reply, String step) {

  /** An answer to the step that replies of its type answer. */
  public DeliveredReply(UUID sagaId, Reply reply) {
    this(sagaId, reply, reply.step());
  }
}
