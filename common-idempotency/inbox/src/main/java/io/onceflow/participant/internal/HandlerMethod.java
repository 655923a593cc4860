package io.onceflow.participant.internal;

import io.onceflow.inbox.internal.StepOutcome;
import io.onceflow.inbox.internal.participant.CommandHandler;
import io.onceflow.inbox.internal.participant.Decision;
import io.onceflow.inbox.internal.participant.ParticipantRepository;
import io.onceflow.inbox.internal.participant.StepView;
import io.onceflow.message.Refused;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.Rejection;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.participant.CallsOut;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A method of a bean as a handler of the inbox. */
record HandlerMethod<C extends Record>(
    CommandType<C> command,
    Parameters parameters,
    HandlerMethods.Validation validation,
    Method method,
    FallbackReplyMethod unhandled,
    Object bean,
    HandlerMethods.Invoker invoker)
    implements CommandHandler<C, Object> {

  HandlerMethod {
    CallsOut calls = method.getAnnotation(CallsOut.class);
    if (calls != null && calls.attempts() < 0) {
      throw new IllegalArgumentException(
          "%s calls out with attempts = %s; write how many calls are made at most, from 1 on, or leave it out for onceflow.inbox.call-out.attempts"
              .formatted(method, calls.attempts()));
    }
  }

  @Override
  public String type() {
    return command.name();
  }

  @Override
  public String step() {
    return command.step();
  }

  @Override
  public Class<C> payload() {
    return command.type();
  }

  @Override
  public List<String> violations(C payload) {
    return Stream.concat(
            command.withoutId(payload).stream(), validation.violations(payload).stream())
        .distinct()
        .toList();
  }

  @Override
  public Optional<String> undoes() {
    return command.undoneStep();
  }

  @Override
  public UUID subject(C payload) {
    return command.idOf(payload);
  }

  @Override
  public ParticipantRepository<Object> rows(ParticipantRepository<Object> ofParticipant) {
    return parameters.rows();
  }

  @Override
  public Decision<Object> decide(C payload, StepView<Object> step) {
    return step.undone()
        .map(action -> compensate(payload, step, action))
        .orElseGet(() -> handle(payload, step));
  }

  private Decision<Object> compensate(C payload, StepView<Object> step, StepView.Action action) {
    return switch (action.state()) {
      case RUNNING -> Decision.waitForAction();
      case TOMBSTONE -> Decision.reply(unhandled.nothingToUndo(payload));
      case ENDED ->
          mayHaveBeenDone(action.reply())
              ? handle(payload, step)
              : Decision.reply(unhandled.nothingToUndo(payload));
      // The inbox forgets what ended long ago; the row that it wrote does not.
      case UNKNOWN ->
          parameters.writtenRow(step).isPresent()
              ? handle(payload, step)
              : Decision.tombstone(unhandled.nothingToUndo(payload));
    };
  }

  private static boolean mayHaveBeenDone(@Nullable StepOutcome reply) {
    return reply == null
        || reply.result() == ReplyOutcome.DONE
        || reply.result() == ReplyOutcome.UNAVAILABLE;
  }

  private Decision<Object> handle(C payload, StepView<Object> step) {
    Object[] arguments = parameters.of(payload, step);
    if (method.isAnnotationPresent(CallsOut.class)) {
      return Decision.callOut(() -> called(answer(invoker.call(method, bean, arguments))));
    }
    return switch (answer(Invocation.unchecked(invoker, method, bean, arguments))) {
      case Answer.Reply reply -> saving(decision(reply), parameters.changed(step));
      case Answer.Pending pending -> pending(pending, parameters.changed(step));
      case Answer.Call(var call) -> Decision.callOut(() -> called(call.call()));
    };
  }

  private static Decision.CallAnswer<Object> called(Answer answer) throws Exception {
    return switch (answer) {
      case Answer.Reply reply -> decision(reply);
      case Answer.Pending pending -> pending(pending, List.of());
      case Answer.Call(var call) -> called(call.call());
    };
  }

  private static Decision.Pending<Object> pending(Answer.Pending pending, List<Object> changed) {
    return new Decision.Pending<>(
        pending.lookAgainAfter(),
        Stream.concat(pending.rows().stream(), changed.stream()).toList());
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

  private static Decision.Answer<Object> decision(Answer.Reply reply) {
    Object body = Objects.requireNonNullElseGet(reply.body(), () -> EmptyReply.of(reply.outcome()));
    return saving(Decision.reply(reply.outcome(), body), reply.rows());
  }

  private static Decision.Answer<Object> saving(Decision.Answer<Object> answer, List<Object> rows) {
    Decision.Answer<Object> saving = answer;
    for (Object row : rows) {
      saving = saving.save(row);
    }
    return saving;
  }

  @Override
  public Object notDone(C payload, Rejection why) {
    return unhandled.of(payload, why);
  }

  @Override
  public Optional<Duration> callDeadline() {
    return Optional.ofNullable(method.getAnnotation(CallsOut.class))
        .map(CallsOut::deadline)
        .filter(text -> !text.isEmpty())
        .map(this::deadline);
  }

  private Duration deadline(String text) {
    Duration deadline = parsed(text);
    if (!deadline.isPositive()) {
      throw new IllegalArgumentException(
          "%s calls out with the deadline \"%s\", which is over at once; write how long a call may take"
              .formatted(method, text));
    }
    return deadline;
  }

  private Duration parsed(String text) {
    try {
      return duration(text);
    } catch (DateTimeParseException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s calls out with the deadline \"%s\", which is no duration; write 6s, 500ms or PT1M30S"
              .formatted(method, text),
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

  @Override
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
