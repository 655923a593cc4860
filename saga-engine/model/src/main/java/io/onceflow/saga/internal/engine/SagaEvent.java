package io.onceflow.saga.internal.engine;

import io.onceflow.saga.internal.Reply;
import org.jspecify.annotations.Nullable;

/** What can happen to a saga. */
public sealed interface SagaEvent {

  /** The saga was made; its first step is to be taken. */
  record Started() implements SagaEvent {}

  /**
   * A participant answered.
   *
   * @param step the step or compensation that is answered
   * @param refusal why it was not done; null when it was
   * @param inDoubt with a refusal: whether it may have been done all the same
   * @param type the reply message's type, for the history
   * @param hash by which a copy of it is known
   */
  record Replied(String step, @Nullable String refusal, boolean inDoubt, String type, String hash)
      implements SagaEvent {

    static Replied of(Reply reply, String step, String hash) {
      return new Replied(step, reply.refusal().orElse(null), reply.isInDoubt(), reply.type(), hash);
    }

    String told() {
      return refusal == null ? type : type + ": " + refusal;
    }
  }

  /**
   * A participant answered that it has begun a step and waits for the world; another reply will say
   * what became of it. Early, late or repeated, it changes nothing.
   */
  record Pending(String step, String type) implements SagaEvent {}

  /** The saga's timer fell due. Early or repeated, it changes nothing. */
  record Due() implements SagaEvent {}

  /** A request of a customer or an operator. */
  sealed interface Request extends SagaEvent {

    /** Who asks. */
    String by();

    /** Why, in the asker's words; null when nothing was said. */
    @Nullable String why();

    /** Both, for the history. */
    default String told() {
      return why() == null ? "by " + by() : "by %s: %s".formatted(by(), why());
    }
  }

  /**
   * The saga is to be undone if that is still possible. The saga waits for the reply of a step
   * under way: its outcome decides what there is to undo.
   *
   * @param reason under which it is undone, such as {@code CANCELLED_BY_CUSTOMER}
   */
  record Cancel(String reason, String by, @Nullable String why) implements Request {}

  /** An operator wants the unanswered messages resent now. */
  record Retry(String by, @Nullable String why) implements Request {}

  /**
   * An operator wants the saga undone from its current step. Unlike {@link Cancel}, a step that
   * waits for its reply is given up on at once.
   */
  record Compensate(String by, @Nullable String why) implements Request {}
}
