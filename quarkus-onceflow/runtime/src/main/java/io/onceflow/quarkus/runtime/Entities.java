package io.onceflow.quarkus.runtime;

import io.onceflow.participant.Handles;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the JPA entities that handler methods decide on. */
final class Entities {

  private static final String ENTITY = "jakarta.persistence.Entity";

  private Entities() {}

  /**
   * The entities among the rows that methods of these classes take; by name, as JPA is optional.
   */
  static List<Class<?>> of(Stream<Class<?>> handlers) {
    return handlers
        .flatMap(StepTransactions::methods)
        .filter(method -> method.isAnnotationPresent(Handles.class))
        .flatMap(method -> Arrays.stream(method.getGenericParameterTypes()))
        .flatMap(Entities::argument)
        .filter(Entities::isEntity)
        .distinct()
        .toList();
  }

  private static Stream<Class<?>> argument(Type parameter) {
    return parameter instanceof ParameterizedType of
            && of.getActualTypeArguments()[0] instanceof Class<?> type
        ? Stream.of(type)
        : Stream.empty();
  }

  /** Whether a class, or one that it extends, is an entity: JPA may hand out subclasses of it. */
  static boolean isEntity(@Nullable Class<?> type) {
    return type != null
        && (Arrays.stream(type.getAnnotations())
                .anyMatch(annotation -> annotation.annotationType().getName().equals(ENTITY))
            || isEntity(type.getSuperclass()));
  }
}
