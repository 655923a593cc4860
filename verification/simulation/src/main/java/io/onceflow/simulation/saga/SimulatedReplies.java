package io.onceflow.simulation.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.messaging.ReplyReader;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Gives the simulation access to {@link ReplyReader}. */
public final class SimulatedReplies {

  private final SagaDefinition<?> definition;
  private final ReplyReader replies;

  /**
   * @param definition of the sagas that are answered
   */
  public SimulatedReplies(ObjectMapper json, SagaDefinition<?> definition) {
    this.definition = definition;
    this.replies = new ReplyReader(json, definition.replies());
  }

  /**
   * The reply with the saga that it names.
   *
   * @throws UnprocessableMessage when it is to be parked
   */
  public SimulatedReply read(InboundMessage message) {
    UUID saga = ReplyReader.sagaId(message).orElseThrow(() -> replies.namesNoSaga(message));
    Reply reply =
        replies
            .read(message, definition, definition.replies())
            .orElseThrow(
                () -> new UnprocessableMessage(ParkingReason.UNKNOWN_TYPE, message.type()));
    byte[] payload = message.payload().getBytes(StandardCharsets.UTF_8);
    String hash = ReplyReader.hash(message.type(), message.outcome(), payload);
    return new SimulatedReply(saga, new SagaEvent.Replied(reply, reply.step(), hash));
  }
}
