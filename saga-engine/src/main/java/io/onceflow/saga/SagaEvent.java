package io.onceflow.saga;

import org.jspecify.annotations.Nullable;

/** What can happen to a saga. */
public sealed interface SagaEvent {

  /** The saga was made; its first step is to be taken. */
  record Started() implements SagaEvent {}

  /**
   * A participant answered.
   *
   * @param step the step or compensation that is answered
   * @param refusal why it was refused; null when it was done
   * @param type the reply message's type, for the history
   */
  record Replied(String step, @Nullable String refusal, String type) implements SagaEvent {

    static Replied of(Reply reply) {
      return new Replied(reply.step(), reply.refusal().orElse(null), reply.type());
    }
  }

  /** The saga's timer fell due. Early or repeated, it changes nothing. */
  record Due() implements SagaEvent {}
}
