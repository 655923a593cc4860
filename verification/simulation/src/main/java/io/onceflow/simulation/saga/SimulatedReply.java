package io.onceflow.simulation.saga;

import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.engine.SagaEvent;
import java.util.UUID;

/**
 * A reply as it arrives.
 *
 * @param saga that it names
 */
public record SimulatedReply(UUID saga, SagaEvent.Replied event) {

  /** One that no message brought. */
  public static SimulatedReply of(UUID saga, Reply reply) {
    return new SimulatedReply(
        saga, new SagaEvent.Replied(reply, reply.step(), Integer.toHexString(reply.hashCode())));
  }
}
