package io.onceflow.saga.internal.engine;

import io.onceflow.saga.internal.Reply;
import org.jspecify.annotations.Nullable;

/** What can happen to a saga. */
public sealed interface SagaEvent {

  /** The saga was made, or has waited for a place; its first step is to be taken. */
  record Started() implements SagaEvent {}

  /**
   * The saga was made, and has to wait for a place.
   *
   * @param limit why, for the history
   */
  record Queued(String limit) implements SagaEvent {}

  /**
   * A participant answered. A reply that says that the step is pending changes nothing where it is
   * early, late or repeated: another one will say the outcome of the step.
   *
   * @param step the step or compensation that is answered
   * @param hash by which a copy of it is known
   */
  record Replied(Reply reply, String step, String hash) implements SagaEvent {

    boolean isSuccess() {
      return reply.refusal().isEmpty();
    }

    String description() {
      return reply.refusal().map(why -> reply.type() + ": " + why).orElse(reply.type());
    }
  }

  /**
   * The application was told of what a saga waits for itself.
   *
   * @param step the wait, which has the event's name
   * @param hash by which a copy of it is known
   * @param payload as JSON; null where it has none
   * @param by who tells, for the history
   * @param refusal why an operator does not approve; null otherwise
   */
  record Signalled(
      String step, String hash, @Nullable String payload, String by, @Nullable String refusal)
      implements SagaEvent {

    /**
     * The saga that a step has started has ended.
     *
     * @param reason why it was compensated; null where it is complete
     */
    public static Signalled childEnded(String step, String child, @Nullable String reason) {
      String refusal = reason == null ? null : "it was compensated, " + reason;
      return new Signalled(step, child, null, "saga " + child, refusal);
    }
  }

  /** The saga's timer fell due. Early or repeated, it changes nothing. */
  record Due() implements SagaEvent {}

  /** A request of a customer or an operator. */
  sealed interface Request extends SagaEvent {

    /** Who asks. */
    String by();

    /** Why, in the asker's words; null when nothing was said. */
    @Nullable String why();

    /** Both, for the history. */
    default String description() {
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
   * waits for its reply times out at once.
   */
  record Compensate(String by, @Nullable String why) implements Request {}
}
