package io.onceflow.simulation.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.messaging.ReplyReader;
import io.onceflow.saga.internal.store.version.Versions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/** Gives the simulation access to {@link ReplyReader}. */
public final class SimulatedReplies {

  private final List<SagaDefinition<?>> definitions;
  private final ReplyReader replies;

  /**
   * @param definitions of the sagas that are answered; no two take replies of one type
   */
  public SimulatedReplies(ObjectMapper json, List<SagaDefinition<?>> definitions) {
    this.definitions = definitions;
    this.replies = new ReplyReader(json, Versions.replies(definitions));
  }

  /**
   * The reply with the saga that it names.
   *
   * @throws UnprocessableMessage when it is to be parked
   */
  public SimulatedReply read(InboundMessage message) {
    UUID saga = ReplyReader.sagaId(message).orElseThrow(() -> replies.namesNoSaga(message));
    SagaDefinition<?> definition = answered(message.type());
    Reply reply =
        replies
            .read(message, definition, definition.replies())
            .orElseThrow(
                () -> new UnprocessableMessage(ParkingReason.UNKNOWN_TYPE, message.type()));
    byte[] payload = message.payload().getBytes(StandardCharsets.UTF_8);
    String hash = ReplyReader.hash(message.type(), message.outcome(), payload);
    return new SimulatedReply(saga, new SagaEvent.Replied(reply, reply.step(), hash));
  }

  private SagaDefinition<?> answered(String type) {
    return definitions.stream()
        .filter(each -> each.replies().containsKey(type))
        .findFirst()
        .orElseGet(definitions::getFirst);
  }
}
