package io.onceflow.idempotency;

import jakarta.interceptor.InvocationContext;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Response;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A method under guard.
 *
 * @param call runs it
 * @param produces the media type that it, or its class, is annotated to produce
 */
record GuardedMethod(Callable<@Nullable Response> call, Optional<String> produces) {

  /**
   * @throws IllegalStateException when the method returns something else than a {@link Response}:
   *     then a stored answer, a 409 or a 422 could not be answered in its place
   */
  static GuardedMethod of(InvocationContext context) {
    Method method = context.getMethod();
    if (method.getReturnType() != Response.class) {
      throw new IllegalStateException(
          "%s.%s is @Idempotent but returns %s; let it return jakarta.ws.rs.core.Response"
              .formatted(
                  method.getDeclaringClass().getName(),
                  method.getName(),
                  method.getReturnType().getSimpleName()));
    }
    return new GuardedMethod(() -> (Response) context.proceed(), produced(method));
  }

  private static Optional<String> produced(Method method) {
    return Stream.of(method, method.getDeclaringClass())
        .map(annotated -> annotated.getAnnotation(Produces.class))
        .filter(annotation -> annotation != null && annotation.value().length > 0)
        .map(annotation -> annotation.value()[0])
        .findFirst();
  }
}
