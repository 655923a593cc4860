package io.onceflow.web.internal.http;

import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.ext.ParamConverter;
import jakarta.ws.rs.ext.ParamConverterProvider;
import jakarta.ws.rs.ext.Provider;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers 400 to a query parameter that is not the integer number or UUID that the resource asks
 * for. JAX-RS answers 404, as if the resource were not there.
 */
@Provider
public class QueryParameters implements ParamConverterProvider {

  private record Kind(String what, Function<String, Object> parse) {}

  private static final Kind INTEGER = new Kind("an integer number", Integer::valueOf);
  private static final Kind LONG = new Kind("an integer number", Long::valueOf);

  private static final Map<Type, Kind> KINDS =
      Map.of(
          int.class,
          INTEGER,
          Integer.class,
          INTEGER,
          long.class,
          LONG,
          Long.class,
          LONG,
          UUID.class,
          new Kind("a UUID", QueryParameters::uuid));

  @Override
  public <T> @Nullable ParamConverter<T> getConverter(
      Class<T> type, Type generic, Annotation[] annotations) {
    Kind kind = KINDS.get(type);
    Optional<String> name =
        Arrays.stream(annotations == null ? new Annotation[0] : annotations)
            .filter(QueryParam.class::isInstance)
            .map(annotation -> ((QueryParam) annotation).value())
            .findAny();
    return kind == null || name.isEmpty() ? null : new Converter<>(name.get(), kind);
  }

  /** As it is written: Java alone takes 1-1-1-1-1 for one, too. */
  private static UUID uuid(String text) {
    UUID uuid = UUID.fromString(text);
    if (!uuid.toString().equalsIgnoreCase(text)) {
      throw new IllegalArgumentException(text);
    }
    return uuid;
  }

  private record Converter<T>(String name, Kind kind) implements ParamConverter<T> {

    @Override
    @SuppressWarnings("unchecked") // the kind was chosen by this type
    public T fromString(String value) {
      try {
        return (T) kind.parse.apply(value);
      } catch (IllegalArgumentException e) {
        throw new MalformedParameter(name, kind.what, e);
      }
    }

    @Override
    public String toString(T value) {
      return String.valueOf(value);
    }
  }
}
