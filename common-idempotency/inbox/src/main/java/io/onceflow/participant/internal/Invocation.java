package io.onceflow.participant.internal;

import io.quarkus.arc.Arc;
import io.quarkus.arc.ManagedContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Calls methods by reflection. */
public final class Invocation {

  private Invocation() {}

  /** Calls the method and throws what it throws. */
  public static @Nullable Object reflectively(
      Method method, Object bean, @Nullable Object... arguments) throws Exception {
    try {
      return method.invoke(bean, arguments);
    } catch (InvocationTargetException e) {
      switch (e.getCause()) {
        case Exception failure -> throw failure;
        case Error error -> throw error;
        case null, default -> throw e;
      }
    }
  }

  /** The same in a request context: handlers run on threads of the inbox, which have none. */
  public static @Nullable Object inRequestContext(
      Method method, Object bean, @Nullable Object... arguments) throws Exception {
    ManagedContext context = Arc.container().requestContext();
    if (context.isActive()) {
      return reflectively(method, bean, arguments);
    }
    context.activate();
    try {
      return reflectively(method, bean, arguments);
    } finally {
      context.terminate();
    }
  }

  /** The same for a method that runs in a transaction: checked exceptions are its own mistake. */
  static @Nullable Object unchecked(
      HandlerInvoker invoker, Method method, Object bean, @Nullable Object... arguments) {
    try {
      return invoker.call(method, bean, arguments);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(method + " threw " + e, e);
    }
  }
}
