package io.onceflow.order.saga;

import io.onceflow.saga.Reply;
import java.util.Optional;
import java.util.UUID;

/** What another service answers, to whichever of this service's sagas. */
public sealed interface ParticipantReply extends Reply permits OrderReply, ReturnReply {

  /** Which order it is about. */
  UUID orderId();

  /** The order service's own step: under its key the reply is recorded once. */
  String recordedAs();

  @Override
  default Optional<String> refusal() {
    return Optional.empty();
  }

  @Override
  default String type() {
    return getClass().getSimpleName();
  }
}
