package io.onceflow.saga.internal.runtime;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The type argument of a generic interface that a bean's class implements: {@code Trip} of {@code
 * Saga<Trip>}.
 */
final class TypeArgument {

  private TypeArgument() {}

  /**
   * The class that is the interface's only type argument.
   *
   * @throws IllegalStateException where the bean's class leaves it open
   */
  static Class<?> of(Class<?> bean, Class<?> generic) {
    Class<?> found = find(bean, generic);
    if (found == null) {
      throw new IllegalStateException(
          "%s does not say of which class it is a %s; implement %s<...> with a class"
              .formatted(bean.getName(), generic.getSimpleName(), generic.getSimpleName()));
    }
    return found;
  }

  /** The bean may be a client proxy, which is a subclass. */
  private static @Nullable Class<?> find(@Nullable Class<?> bean, Class<?> generic) {
    if (bean == null) {
      return null;
    }
    return Stream.concat(
            Arrays.stream(bean.getGenericInterfaces()).map(type -> argument(type, generic)),
            Stream.of(bean).map(type -> find(type.getSuperclass(), generic)))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static @Nullable Class<?> argument(Type type, Class<?> generic) {
    if (type instanceof ParameterizedType parameterized
        && parameterized.getRawType() == generic
        && parameterized.getActualTypeArguments()[0] instanceof Class<?> argument) {
      return argument;
    }
    return null;
  }
}
