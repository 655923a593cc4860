package io.onceflow.launcher.operators;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Query parameters, or the members of a JSON object, in the order in which they were set. */
final class Query {

  private final Map<String, Object> values = new LinkedHashMap<>();

  /** Sets a parameter unless the value is null. */
  Query with(String name, @Nullable Object value) {
    if (value != null) {
      values.put(name, value);
    }
    return this;
  }

  Map<String, Object> values() {
    return values;
  }

  /** The path with the parameters behind it, encoded. */
  String after(String path) {
    return values.isEmpty()
        ? path
        : values.entrySet().stream()
            .map(it -> it.getKey() + "=" + encoded(it.getValue().toString()))
            .collect(Collectors.joining("&", path + "?", ""));
  }

  /** Text as one segment of a path or one value of a query. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
