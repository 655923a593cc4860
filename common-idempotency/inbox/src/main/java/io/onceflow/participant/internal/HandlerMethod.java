package io.onceflow.participant.internal;

import io.onceflow.inbox.internal.participant.ParticipantRepository;
import io.onceflow.message.Refused;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.Rejection;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.participant.CallsOut;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A method of a bean that handles the commands of one type. */
public record HandlerMethod(
    CommandType command,
    Parameters parameters,
    Method method,
    FallbackReplyMethod unhandled,
    Object bean,
    HandlerInvoker invoker) {

  /** Checks what its annotation says. */
  public HandlerMethod {
    CallsOut calls = method.getAnnotation(CallsOut.class);
    if (calls != null && calls.attempts() < 0) {
      throw new IllegalArgumentException(
          "%s calls out with attempts = %s; write how many calls are made at most, from 1 on, or leave it out for onceflow.inbox.call-out.attempts"
              .formatted(method, calls.attempts()));
    }
    if (calls != null && calls.atMost() < 0) {
      throw new IllegalArgumentException(
          "%s calls out with atMost = %s; write how many calls begin within a time, from 1 on, or leave it out"
              .formatted(method, calls.atMost()));
    }
  }

  /** The same, called by another invoker. */
  HandlerMethod by(HandlerInvoker other) {
    FallbackReplyMethod reply = new FallbackReplyMethod(unhandled.method(), bean, other);
    return new HandlerMethod(command, parameters, method, reply, bean, other);
  }

  /** The command's AMQP type, such as {@code ProcessPayment}. */
  public String type() {
    return command.name();
  }

  /** The step's name, such as {@code process-payment}, where the command does not name its step. */
  public String step() {
    return command.step();
  }

  /** The record that its commands are. */
  public Class<? extends Record> payload() {
    return command.type();
  }

  /**
   * What makes no sense in a command of a new step, in sentences such as {@code amount must be
   * greater than 0}; empty where all does.
   */
  public List<String> violations(Record payload) {
    return Stream.concat(command.withoutId(payload).stream(), invoker.violations(payload).stream())
        .distinct()
        .toList();
  }

  /**
   * The step that this one undoes, where the command does not name it; empty for an action's
   * handler.
   */
  public Optional<String> undoes() {
    return command.undoneStep();
  }

  /** The id of the business row that a command concerns. */
  public UUID subject(Record payload) {
    return command.idOf(payload);
  }

  /** Where the rows are kept that it takes. */
  public ParticipantRepository<Object> rows() {
    return parameters.rows();
  }

  /** Whether the rows say that the action has been done that a compensation undoes. */
  public boolean isWritten(StepView step) {
    return parameters.writtenRow(step).isPresent();
  }

  /** Its answer; one that calls out is an {@link Answer.Call} that has not been made. */
  public Answer handle(Record payload, StepView step) {
    Object[] arguments = parameters.of(payload, step);
    if (method.isAnnotationPresent(CallsOut.class)) {
      return Answer.callOut(() -> answer(invoker.call(method, bean, arguments)));
    }
    Answer answer = answer(Invocation.unchecked(invoker, method, bean, arguments));
    for (Object changed : parameters.changed(step)) {
      answer = saving(answer, changed);
    }
    return answer;
  }

  private static Answer saving(Answer answer, Object row) {
    return switch (answer) {
      case Answer.Reply reply -> reply.save(row);
      case Answer.Pending pending -> pending.save(row);
      case Answer.Call call -> call;
    };
  }

  private Answer answer(@Nullable Object returned) {
    return switch (returned) {
      case null -> withoutAnswer();
      case Answer answer -> answer;
      case Record reply when reply.getClass().isAnnotationPresent(Refused.class) ->
          Answer.refused(reply);
      case Record reply -> Answer.done(reply);
      default ->
          throw new IllegalStateException(
              returned.getClass() + " is neither an Answer nor a reply");
    };
  }

  /** A method that promises an answer and returns null has not said that the step is done. */
  private Answer withoutAnswer() {
    if (method.getReturnType() != void.class) {
      throw new IllegalStateException(
          "%s returned null; return an Answer or a reply, such as Answer.done()".formatted(method));
    }
    return Answer.done();
  }

  /** The reply to an action that is not done, for a reason that is none of its business's. */
  public Answer.Reply notDone(Record payload, Rejection why) {
    return unhandled.of(ReplyOutcome.of(why), payload, why);
  }

  /** The reply to a compensation that finds nothing to undo. */
  public Answer.Reply nothingToUndo(Record payload) {
    return unhandled.of(ReplyOutcome.DONE, payload, null);
  }

  /** Whether it is the handler of an action, and calls out whatever is known of the step. */
  public boolean isCalledOut() {
    return undoes().isEmpty() && method.isAnnotationPresent(CallsOut.class);
  }

  /** How long a call may take, where it says so itself. */
  public Optional<Duration> callDeadline() {
    return Optional.ofNullable(method.getAnnotation(CallsOut.class))
        .map(CallsOut::deadline)
        .filter(text -> !text.isEmpty())
        .map(text -> positive("deadline", text));
  }

  /** How many calls may begin in a time; empty for as many as the other system answers. */
  public Optional<CallLimit> callLimit() {
    return Optional.ofNullable(method.getAnnotation(CallsOut.class))
        .filter(calls -> calls.atMost() > 0)
        .map(calls -> new CallLimit(calls.atMost(), positive("within", calls.within())));
  }

  private Duration positive(String attribute, String text) {
    Duration time = parsed(attribute, text);
    if (!time.isPositive()) {
      throw new IllegalArgumentException(
          "%s calls out with %s = \"%s\", which is over at once; write a time such as 6s"
              .formatted(method, attribute, text));
    }
    return time;
  }

  private Duration parsed(String attribute, String text) {
    try {
      return duration(text);
    } catch (DateTimeParseException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s calls out with %s = \"%s\", which is no duration; write 6s, 500ms or PT1M30S"
              .formatted(method, attribute, text),
          e);
    }
  }

  /** {@code 6s} and {@code 500ms}, as in configuration, or ISO-8601. */
  private static Duration duration(String text) {
    if (text.endsWith("ms")) {
      return Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)));
    }
    return Duration.parse(text.startsWith("P") ? text : "PT" + text);
  }

  /** How many calls are made for one action at most, where it says so itself. */
  public OptionalInt callAttempts() {
    CallsOut calls = method.getAnnotation(CallsOut.class);
    return calls == null || calls.attempts() == 0
        ? OptionalInt.empty()
        : OptionalInt.of(calls.attempts());
  }

  @Override
  public String toString() {
    return method.getDeclaringClass().getSimpleName() + "." + method.getName();
  }
}
