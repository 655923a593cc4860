package io.onceflow.simulation.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.messaging.ReplyReader;
import io.onceflow.saga.internal.store.DeliveredReply;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;

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

  /**
   * The reply with the saga that it names.
   *
   * @throws UnprocessableMessage when it is to be parked
   */
  public DeliveredReply read(InboundMessage message) {
    UUID saga = ReplyReader.sagaId(message).orElseThrow(() -> replies.namesNoSaga(message));
    Reply reply = reply(message);
    byte[] payload = message.payload().getBytes(StandardCharsets.UTF_8);
    return new DeliveredReply(
        saga, reply, reply.step(), ReplyReader.hash(message.type(), message.outcome(), payload));
  }

  private Reply reply(InboundMessage message) {
    if (message.outcome() == ReplyOutcome.PENDING || isUnmappedRefusal(message)) {
      return replies.readOutcome(message);
    }
    Class<?> type = types.get(message.type());
    if (type == null) {
      throw new UnprocessableMessage(ParkingReason.UNKNOWN_TYPE, message.type());
    }
    return replies.read(message, type, null);
  }

  /** No definition maps the refusal of a step that is sent until it is done. */
  private boolean isUnmappedRefusal(InboundMessage message) {
    return message.outcome() == ReplyOutcome.REFUSED && !types.containsKey(message.type());
  }
}
