package io.onceflow.saga.internal.store;

import io.onceflow.saga.internal.Reply;
import java.util.UUID;

/**
 * A reply as it arrives.
 *
 * @param step the step or compensation that it answers
 * @param hash by which a copy of it is known
 */
public record DeliveredReply(UUID sagaId, Reply reply, String step, String hash) {

  /** One that no message brought: it answers the step that replies of its type answer. */
  public DeliveredReply(UUID sagaId, Reply reply) {
    this(sagaId, reply, reply.step(), Integer.toHexString(reply.hashCode()));
  }
}
