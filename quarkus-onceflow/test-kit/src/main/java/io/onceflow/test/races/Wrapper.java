package io.onceflow.test.races;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Puts something around each call of an interface, without a method for each of its methods. */
final class Wrapper {

  private Wrapper() {}

  /** A call that has not been made yet. */
  interface Call {
    @Nullable Object make() throws Throwable;
  }

  /** What is put around it. */
  interface Around {

    /**
     * @param method the name of the method that is called
     */
    @Nullable Object call(String method, Call call) throws Throwable;
  }

  static <T> T around(T wrapped, Class<T> type, Around around) {
    return aroundEach(() -> wrapped, type, around);
  }

  /**
   * @param wrapped asked at each call
   */
  static <T> T aroundEach(Supplier<T> wrapped, Class<T> type, Around around) {
    return type.cast(
        Proxy.newProxyInstance(
            Wrapper.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                around.call(
                    method.getName(),
                    () -> {
                      try {
                        return method.invoke(wrapped.get(), arguments);
                      } catch (InvocationTargetException e) {
                        throw e.getCause();
                      }
                    })));
  }
}
