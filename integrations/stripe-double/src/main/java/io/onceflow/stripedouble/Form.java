package io.onceflow.stripedouble;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Parameters as Stripe's clients send them: {@code metadata[order]=1&amount=2500}. */
record Form(Map<String, String> parameters) {

  static Form of(String encoded) {
    Map<String, String> parameters = new TreeMap<>();
    for (String pair : encoded.split("&")) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        parameters.put(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
      }
    }
    return new Form(parameters);
  }

  Optional<String> get(String name) {
    return Optional.ofNullable(parameters.get(name));
  }

  long number(String name, long otherwise) {
    return get(name).map(Long::parseLong).orElse(otherwise);
  }

  /** The entries of {@code name[…]}. */
  Map<String, String> map(String name) {
    Map<String, String> entries = new TreeMap<>();
    parameters.forEach(
        (parameter, value) -> {
          if (parameter.startsWith(name + "[") && parameter.endsWith("]")) {
            entries.put(parameter.substring(name.length() + 1, parameter.length() - 1), value);
          }
        });
    return entries;
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
