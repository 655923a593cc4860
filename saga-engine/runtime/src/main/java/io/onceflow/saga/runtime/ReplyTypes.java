package io.onceflow.saga.runtime;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The records that replies are read into, by the name that messages call them: the AMQP type. */
public final class ReplyTypes {

  private ReplyTypes() {}

  /** All records that a sealed interface permits, however deep interfaces are nested in it. */
  public static <T> Map<String, Class<? extends T>> of(Class<T> sealed) {
    return records(sealed)
        .distinct()
        .collect(Collectors.toUnmodifiableMap(Class::getSimpleName, Function.identity()));
  }

  private static <T> Stream<Class<? extends T>> records(Class<? extends T> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses())
            .flatMap(permitted -> ReplyTypes.<T>recordsOf(permitted, type))
        : Stream.of(type);
  }

  private static <T> Stream<Class<? extends T>> recordsOf(
      Class<?> permitted, Class<? extends T> by) {
    return records(permitted.asSubclass(by));
  }
}
