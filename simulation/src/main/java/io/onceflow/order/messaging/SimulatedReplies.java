package io.onceflow.order.messaging;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.InboundMessage;
import io.onceflow.saga.store.DeliveredReply;
import java.util.Optional;

/** Opens {@link Replies} to the simulation. */
public final class SimulatedReplies {

  private final Replies replies;

  public SimulatedReplies(ObjectMapper json) {
    this.replies = new Replies(json);
  }

  /** See {@link Replies#recordedAs}. */
  public Optional<String> recordedAs(InboundMessage message) {
    return replies.recordedAs(message);
  }

  /** See {@link Replies#read}. */
  public DeliveredReply read(InboundMessage message) {
    return replies.read(message);
  }
}
