package io.onceflow.participant;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method handles the command that is its first parameter, a record annotated with {@link
 * io.onceflow.message.Command}. Each command takes effect once, however often it is delivered.
 *
 * <p>Without {@link CallsOut} the method runs in the transaction that records the step, and should
 * decide without waiting for anything. What it writes by itself commits with the step; where all
 * handlers of an application that has no JPA take rows of a {@link RecordTable}, only if it is
 * annotated with {@code @Transactional}. The other parameters, in any order:
 *
 * <ul>
 *   <li>{@link CallKey}: the step's key; a second one, of a compensation, is the key of the action
 *       that it undoes
 *   <li>{@code Optional<Row>}: the business row that the command concerns, by the id that is the
 *       command's first component of type {@link java.util.UUID}. A JPA entity is locked, and saved
 *       with the step. For a row that a bean of type {@link
 *       io.onceflow.inbox.internal.participant.ParticipantRepository} keeps, a compensation gets
 *       the row that its action wrote.
 *   <li>{@code List<Row>}: all rows of that id
 *   <li>{@code Optional<Result>}, of a compensation: what its action answered, a record annotated
 *       with {@link io.onceflow.message.Done}; empty where the action's result is unknown
 * </ul>
 *
 * <p>It returns an {@link Answer}, a reply record annotated with {@link io.onceflow.message.Done}
 * or {@link io.onceflow.message.Refused}, or nothing: then the step is done and the reply has the
 * AMQP type {@code StepDone} and an empty JSON object as its body.
 *
 * <p>A compensation, whose command is annotated with {@link io.onceflow.message.Undoes}, is called
 * only if its action was done or its result is unknown. If the action never started, it is recorded
 * as cancelled and never will; if it is running, the compensation waits; if it was refused or never
 * done, the compensation is answered as done.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Handles {

  /**
   * The method makes the reply to a command whose handler is not called: an action that was
   * cancelled before it started, has expired or whose attempts are used up; a compensation that
   * finds nothing to undo. Its parameters are the command and, for an action, the {@link
   * Answer.Rejection reason}. It is optional: without it the reply has the AMQP type {@code
   * StepCancelled}, {@code StepExpired}, {@code StepUnavailable} or {@code StepDone} and an empty
   * JSON object as its body. The header {@code x-outcome} is the same either way.
   */
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.METHOD)
  @interface FallbackReply {}
}
