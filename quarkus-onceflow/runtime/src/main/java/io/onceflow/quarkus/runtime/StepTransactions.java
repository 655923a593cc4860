package io.onceflow.quarkus.runtime;

import io.onceflow.message.Done;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import jakarta.transaction.Transactional;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Which transactions record steps. What a handler writes by itself, by JPA, by JDBC or in the
 * outbox, takes part in a JTA transaction alone. Where all handlers are given their rows and return
 * them, those of the connection do, which cost less.
 */
final class StepTransactions {

  private StepTransactions() {}

  /** Whether they have to be JTA transactions. */
  static boolean needJta(Stream<Class<?>> handlers) {
    return handlers
        .flatMap(StepTransactions::methods)
        .filter(method -> method.isAnnotationPresent(Handles.class))
        .anyMatch(StepTransactions::mayWrite);
  }

  /** The methods of a class and of those that it extends. */
  static Stream<Method> methods(Class<?> type) {
    return type == null || type == Object.class
        ? Stream.empty()
        : Stream.concat(Arrays.stream(type.getDeclaredMethods()), methods(type.getSuperclass()));
  }

  private static boolean mayWrite(Method handler) {
    return !handler.isAnnotationPresent(CallsOut.class)
        && (isTransactional(handler) || !takesRows(handler));
  }

  private static boolean isTransactional(Method handler) {
    return handler.isAnnotationPresent(Transactional.class)
        || handler.getDeclaringClass().isAnnotationPresent(Transactional.class);
  }

  private static boolean takesRows(Method handler) {
    return Arrays.stream(handler.getGenericParameterTypes()).anyMatch(StepTransactions::isOfRows);
  }

  /** An {@code Optional} of an action's reply holds no row. */
  private static boolean isOfRows(Type parameter) {
    return parameter instanceof ParameterizedType of
        && of.getActualTypeArguments()[0] instanceof Class<?> type
        && !type.isAnnotationPresent(Done.class);
  }
}
