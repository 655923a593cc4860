package io.onceflow.simulation.kernel;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Code that can be suspended and resumed later, on the thread that runs it. It uses the JDK's
 * internal continuations, which are not exported: the JVM needs {@code --add-exports
 * java.base/jdk.internal.vm=ALL-UNNAMED}. Virtual threads cannot be used, because their scheduler
 * cannot be replaced and a run must depend on its seed alone.
 */
final class Coroutine {

  private static final MethodHandle NEW;
  private static final MethodHandle RUN;
  private static final MethodHandle YIELD;
  private static final MethodHandle IS_DONE;
  private static final Object SCOPE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      Class<?> continuation = Class.forName("jdk.internal.vm.Continuation");
      Class<?> scope = Class.forName("jdk.internal.vm.ContinuationScope");
      SCOPE =
          lookup
              .findConstructor(scope, MethodType.methodType(void.class, String.class))
              .invoke("simulation");
      NEW =
          lookup
              .findConstructor(
                  continuation, MethodType.methodType(void.class, scope, Runnable.class))
              .asType(MethodType.methodType(Object.class, Object.class, Runnable.class));
      RUN =
          lookup
              .findVirtual(continuation, "run", MethodType.methodType(void.class))
              .asType(MethodType.methodType(void.class, Object.class));
      YIELD =
          lookup
              .findStatic(continuation, "yield", MethodType.methodType(boolean.class, scope))
              .asType(MethodType.methodType(boolean.class, Object.class));
      IS_DONE =
          lookup
              .findVirtual(continuation, "isDone", MethodType.methodType(boolean.class))
              .asType(MethodType.methodType(boolean.class, Object.class));
    } catch (Throwable e) {
      throw new ExceptionInInitializerError(
          new IllegalStateException(
              "the simulation needs --add-exports java.base/jdk.internal.vm=ALL-UNNAMED", e));
    }
  }

  private final Object continuation;

  Coroutine(Runnable body) {
    try {
      continuation = (Object) NEW.invokeExact(SCOPE, body);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Resumes the body until it is suspended or ends. */
  void run() {
    try {
      RUN.invokeExact(continuation);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Whether the body has ended. */
  boolean isDone() {
    try {
      return (boolean) IS_DONE.invokeExact(continuation);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Suspends the running coroutine; returns when it is resumed. */
  static void leave() {
    try {
      boolean left = (boolean) YIELD.invokeExact(SCOPE);
      if (!left) {
        throw new IllegalStateException("this cannot be left here: it is pinned to its thread");
      }
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static RuntimeException unexpected(Throwable e) {
    return switch (e) {
      case RuntimeException unchecked -> unchecked;
      case Error error -> throw error;
      default -> new IllegalStateException(e);
    };
  }
}
