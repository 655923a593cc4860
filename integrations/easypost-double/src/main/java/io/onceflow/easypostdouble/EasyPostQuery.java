package io.onceflow.easypostdouble;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Parameters of a list, as <a href="https://docs.easypost.com/docs/pagination">documented</a>. */
record EasyPostQuery(Map<String, String> parameters) {

  private static final int USUAL_PAGE = 20;
  private static final int LARGEST_PAGE = 100;

  static EasyPostQuery of(String encoded) {
    Map<String, String> parameters = new TreeMap<>();
    for (String pair : encoded.split("&")) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        parameters.put(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
      }
    }
    return new EasyPostQuery(parameters);
  }

  Optional<String> get(String name) {
    return Optional.ofNullable(parameters.get(name));
  }

  int pageSize() {
    return Math.min(LARGEST_PAGE, get("page_size").map(Integer::parseInt).orElse(USUAL_PAGE));
  }

  boolean covers(Map<String, Object> object) {
    Instant at = Instant.parse(String.valueOf(object.get("created_at")));
    return get("start_datetime").map(Instant::parse).filter(at::isBefore).isEmpty()
        && get("end_datetime").map(Instant::parse).filter(it -> !at.isBefore(it)).isEmpty();
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
