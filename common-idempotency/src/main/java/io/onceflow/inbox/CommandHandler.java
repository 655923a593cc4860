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

  /** The step's name, such as {@code process-payment}; the step key ends in it. */
  String step();

  /** The payload's class. */
  Class<C> payload();

  /** The step that this one compensates, or empty for an action. */
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
   * Whether a business row was written by this very action, for a compensation whose action has
   * been forgotten by the inbox (rule 14) though what it did still stands.
   *
   * @param scope whose step the action is
   * @param action the key of the step that this one undoes
   */
  default boolean wasWrittenBy(S row, String scope, StepKey action) {
    return false;
  }
}
