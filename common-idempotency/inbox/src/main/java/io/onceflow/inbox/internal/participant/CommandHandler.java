package io.onceflow.inbox.internal.participant;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.participant.Answer.Rejection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * Decides what one command means. It is pure: it reads what it is given, writes nothing, and is
 * tested without a database or a broker.
 *
 * @param <C> the command's payload, a record read from JSON
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
   * What makes no sense in the payload of a new step, such as {@code amount must be greater than
   * 0}; empty for one that does. Of a step that is known already it is not asked.
   */
  default List<String> violations(C command) {
    return List.of();
  }

  /**
   * The step that this one compensates, where the command does not name it, or empty for an action.
   */
  default Optional<String> undoes() {
    return Optional.empty();
  }

  /** Which business row it concerns, by the id of what it belongs to, such as the order's. */
  UUID subject(C command);

  /** Decides, by what is known of the step. */
  Decision<S> decide(C command, StepView<S> step);

  /**
   * The answer to an action that is not done, for a reason that is none of its business's. Never
   * called for a compensation: that one is done however long it takes.
   */
  Object notDone(C command, Rejection why);

  /** Where the rows that it decides about are kept; those of its participant by default. */
  default ParticipantRepository<S> rows(ParticipantRepository<S> ofParticipant) {
    return ofParticipant;
  }

  /**
   * How long a call may take before it is interrupted; {@link InboxConfig.CallOut#deadline} by
   * default.
   */
  default Optional<Duration> callDeadline() {
    return Optional.empty();
  }

  /**
   * How many calls are made for one action at most; {@link InboxConfig.CallOut#attempts} by
   * default.
   */
  default OptionalInt callAttempts() {
    return OptionalInt.empty();
  }
}
