package io.onceflow.inbox;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Decides what one command means. It is pure: it reads what it is given, writes nothing, and is
 * tested without a database or a broker.
 *
 * @param <C> the command's payload, a record read from JSON; its constructor refuses nonsense
 * @param <S> the business row that the command concerns
 */
public interface CommandHandler<C, S> {

  /** The command's AMQP type, such as {@code ProcessPayment}. */
  String type();

  /**
   * The step's name, such as {@code process-payment}, where the command does not name its step; the
   * step key ends in it.
   */
  String step();

  /** The payload's class. */
  Class<C> payload();

  /**
   * The step that this one compensates, where the command does not name it, or empty for an action.
   */
  default Optional<String> undoes() {
    return Optional.empty();
  }

  /** Which business row it concerns, by the id of what it belongs to, such as the order's. */
  UUID subject(C command);

  /**
   * Decides.
   *
   * @param found for a compensation the action it undoes; for an action its subject's row, if any
   * @param now for business times; leases go by the database's clock
   */
  Decision<S> decide(C command, Found<S> found, Instant now);

  /**
   * The answer to an action that is not done, for a reason that is none of its business's. Never
   * called for a compensation: that one is done however long it takes.
   */
  Object notDone(C command, NotDone why);

  /**
   * Whether a row of the subject is the one that an action is about. A subject may have several:
   * two orchestrators may use the same id, and a saga may have two steps with the same command.
   *
   * @param scope whose step the action is
   * @param action the key of the action
   */
  default boolean isAbout(S row, String scope, StepKey action) {
    return true;
  }

  /**
   * Whether a business row was written by this very action. A compensation is about that row alone:
   * what another saga did for the same subject is not its to undo. Where the action has ended and
   * no row is its, {@link #decide} gets {@link Found.InDoubt}.
   *
   * @param scope whose step the action is
   * @param action the key of the step that this one undoes
   */
  default boolean wasWrittenBy(S row, String scope, StepKey action) {
    return false;
  }
}
