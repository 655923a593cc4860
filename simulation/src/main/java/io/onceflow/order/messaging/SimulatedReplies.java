package io.onceflow.order.messaging;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.InboundMessage;
import io.onceflow.order.saga.ParticipantReply;
import io.onceflow.order.saga.ReplyTypes;
import io.onceflow.saga.store.DeliveredReply;
import java.util.Map;
import java.util.Optional;

/** Opens {@link Replies} to the simulation. */
public final class SimulatedReplies {

  private static final Map<String, Class<? extends ParticipantReply>> TYPES =
      ReplyTypes.of(ParticipantReply.class);

  private final Replies replies;

  public SimulatedReplies(ObjectMapper json) {
    this.replies = new Replies(json);
  }

  /** The order service's own step for a reply; empty when its type is unknown. */
  public Optional<String> recordedAs(InboundMessage message) {
    return Optional.ofNullable(TYPES.get(message.type()))
        .map(type -> replies.read(message, type).recordedAs());
  }

  /** The reply with the saga that it names. */
  public DeliveredReply read(InboundMessage message) {
    return new DeliveredReply(
        Replies.sagaId(message).orElseThrow(() -> replies.namesNoSaga(message)),
        replies.read(message, TYPES.get(message.type())));
  }
}
