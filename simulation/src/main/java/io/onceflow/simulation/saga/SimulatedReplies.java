package io.onceflow.simulation.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.messaging.ReplyReader;
import io.onceflow.saga.internal.store.DeliveredReply;
import java.util.Map;
import java.util.Optional;

/** Gives the simulation access to {@link ReplyReader}. */
public final class SimulatedReplies {

  private final Map<String, Class<?>> types;
  private final ReplyReader replies;

  /**
   * @param types the records that replies are read into, by AMQP type
   */
  public SimulatedReplies(ObjectMapper json, Map<String, Class<?>> types) {
    this.types = types;
    this.replies = new ReplyReader(json, types);
  }

  /** The order service's own step for a reply; empty when its type is unknown. */
  public Optional<String> recordedAs(InboundMessage message) {
    if (message.outcome() == ReplyOutcome.PENDING) {
      return Optional.of("pending");
    }
    if (isUnmappedRefusal(message)) {
      return Optional.of("refused");
    }
    return Optional.ofNullable(types.get(message.type()))
        .map(type -> recordedAs(replies.read(message, type, null)));
  }

  private static String recordedAs(Reply reply) {
    return ReplyReader.recordedAs(reply, reply.step());
  }

  /** The reply with the saga that it names. */
  public DeliveredReply read(InboundMessage message) {
    return new DeliveredReply(
        ReplyReader.sagaId(message).orElseThrow(() -> replies.namesNoSaga(message)),
        message.outcome() == ReplyOutcome.PENDING || isUnmappedRefusal(message)
            ? replies.readOutcome(message)
            : replies.read(message, types.get(message.type()), null));
  }

  /** No definition maps the refusal of a step that is sent until it is done. */
  private boolean isUnmappedRefusal(InboundMessage message) {
    return message.outcome() == ReplyOutcome.REFUSED && !types.containsKey(message.type());
  }
}
