package io.onceflow.quarkus.runtime;

import io.onceflow.participant.internal.HandlerInvoker;
import io.onceflow.participant.internal.Invocation;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls handler methods in a request context, for commands that keep the constraints of Jakarta
 * Bean Validation on their components.
 */
record ValidatingInvoker(Validator validator) implements HandlerInvoker {

  @Override
  public @Nullable Object call(Method method, Object bean, @Nullable Object... arguments)
      throws Exception {
    return Invocation.inRequestContext(method, bean, arguments);
  }

  @Override
  public List<String> violations(Record command) {
    return validator.validate(command).stream().map(ValidatingInvoker::sentence).sorted().toList();
  }

  private static String sentence(ConstraintViolation<?> violation) {
    return violation.getPropertyPath() + " " + violation.getMessage();
  }
}
