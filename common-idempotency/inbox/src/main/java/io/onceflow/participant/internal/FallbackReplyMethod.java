package io.onceflow.participant.internal;

import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.Rejection;
import io.onceflow.participant.Answer.ReplyOutcome;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reply to a command whose handler is not called.
 *
 * @param method of the bean, or null for an empty reply
 */
record FallbackReplyMethod(@Nullable Method method, Object bean, HandlerInvoker invoker) {

  /**
   * The command that a method makes the reply to.
   *
   * @param handling the methods of its class that handle commands
   * @throws IllegalArgumentException where it could never be called, or makes no reply
   */
  static Class<?> command(Method method, List<Method> handling) {
    List<Class<?>> parameters = List.of(method.getParameterTypes());
    boolean isHandled =
        !parameters.isEmpty()
            && handling.stream()
                .anyMatch(handler -> handler.getParameterTypes()[0] == parameters.getFirst());
    if (!isHandled
        || !mayBeRecord(method.getReturnType())
        || !parameters.stream().skip(1).allMatch(Rejection.class::equals)) {
      throw new IllegalArgumentException(
          "%s is annotated with @FallbackReply; it takes a command that this class handles and, for an action, the Answer.Rejection, and returns the reply, a record"
              .formatted(method));
    }
    return parameters.getFirst();
  }

  private static boolean mayBeRecord(Class<?> returned) {
    return Record.class.isAssignableFrom(returned) || returned.isInterface();
  }

  /**
   * The reply.
   *
   * @param why the action was not done; null for a compensation that finds nothing to undo
   */
  Answer.Reply of(ReplyOutcome outcome, Record command, @Nullable Rejection why) {
    if (method == null) {
      return new Answer.Reply(outcome, null, List.of());
    }
    Object[] arguments =
        Arrays.stream(method.getParameterTypes())
            .map(type -> type == Rejection.class ? why : command)
            .toArray();
    Object reply = Invocation.unchecked(invoker, method, bean, arguments);
    return Answer.of(
        outcome, (Record) Objects.requireNonNull(reply, () -> method + " returned null"));
  }
}
