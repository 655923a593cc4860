package io.onceflow.idempotency.internal.policy;

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
 * @param policy how it is guarded
 * @param produces the media type that it, or its class, is annotated to produce
 */
public record GuardedMethod(
    Policy policy, Optional<String> produces, Callable<@Nullable Response> call) {

  public static GuardedMethod of(InvocationContext context, Policies policies) {
    Method method = context.getMethod();
    return new GuardedMethod(
        policies.of(method), produced(method), () -> (Response) context.proceed());
  }

  /** The same, after an action. */
  public GuardedMethod after(Runnable first) {
    return new GuardedMethod(
        policy,
        produces,
        () -> {
          first.run();
          return call.call();
        });
  }

  /** The same, followed by an action if it has succeeded. */
  public GuardedMethod before(Last last) {
    return new GuardedMethod(
        policy,
        produces,
        () -> {
          Response response = call.call();
          if (response == null || response.getStatus() < 400) {
            last.run();
          }
          return response;
        });
  }

  /** An action after the method. */
  @FunctionalInterface
  public interface Last {
    void run() throws Exception;
  }

  /** The media type that a method, or its class, is annotated to produce; the first of several. */
  static Optional<String> produced(Method method) {
    return Stream.of(method, method.getDeclaringClass())
        .map(annotated -> annotated.getAnnotation(Produces.class))
        .filter(annotation -> annotation != null && annotation.value().length > 0)
        .map(annotation -> annotation.value()[0])
        .findFirst();
  }
}
