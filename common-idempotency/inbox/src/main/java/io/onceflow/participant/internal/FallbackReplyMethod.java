package io.onceflow.participant.internal;

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
record FallbackReplyMethod(@Nullable Method method, Object bean, HandlerMethods.Invoker invoker) {

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
        || method.getReturnType() == void.class
        || !parameters.stream().skip(1).allMatch(Rejection.class::equals)) {
      throw new IllegalArgumentException(
          "%s is annotated with @FallbackReply; it takes a command that this class handles and, for an action, the Answer.Rejection, and returns the reply"
              .formatted(method));
    }
    return parameters.getFirst();
  }

  /** An action's, with its reason. */
  Object of(Record command, Rejection why) {
    return of(ReplyOutcome.of(why), command, why);
  }

  /** A compensation's that finds nothing to undo. */
  Object nothingToUndo(Record command) {
    return of(ReplyOutcome.DONE, command, null);
  }

  private Object of(ReplyOutcome outcome, Record command, @Nullable Rejection why) {
    if (method == null) {
      return EmptyReply.of(outcome);
    }
    Object[] arguments =
        Arrays.stream(method.getParameterTypes())
            .map(type -> type == Rejection.class ? why : command)
            .toArray();
    return Objects.requireNonNull(
        Invocation.unchecked(invoker, method, bean, arguments), () -> method + " returned null");
  }
}
