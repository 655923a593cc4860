package io.onceflow.participant.internal;

import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the application calls its handler methods. */
@FunctionalInterface
public interface HandlerInvoker {

  /** Calls the method of the bean and passes on what it throws. */
  @Nullable Object call(Method method, Object bean, @Nullable Object... arguments) throws Exception;

  /** Which of the constraints that it declares a command violates, in sentences. */
  default List<String> violations(Record command) {
    return List.of();
  }
}
