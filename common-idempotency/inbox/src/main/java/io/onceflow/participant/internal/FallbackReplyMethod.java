package io.onceflow.participant.internal;

import io.onceflow.participant.Answer.Rejection;
import io.onceflow.participant.Answer.ReplyOutcome;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reply to a command whose handler is not called.
 *
 * @param method of the bean, or null for an empty reply
 */
record FallbackReplyMethod(@Nullable Method method, Object bean, HandlerMethods.Invoker invoker) {

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
