package io.onceflow.saga.internal.runtime;

import io.onceflow.saga.internal.Reply;
import java.util.Optional;

/** A participant's reply. The record's simple name is the message's AMQP type. */
public interface ParticipantReply extends Reply {

  @Override
  default Optional<String> refusal() {
    return Optional.empty();
  }

  @Override
  default String type() {
    return getClass().getSimpleName();
  }
}
