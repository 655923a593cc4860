package io.onceflow.idempotency.internal.admission;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Requests by method and path.
 *
 * @param text as configured
 * @param method in capitals
 * @param segments of the path; one in braces matches any, and <code>{name:.+}</code> at the end any
 *     number of them
 * @param kind decides which limits apply
 */
record RequestPattern(String text, String method, List<String> segments, Kind kind) {

  private static final String REST = ":.+}";

  /** What a request does to the work that waits. */
  enum Kind {
    /** It starts work, and is shed while too much waits. */
    BEGINS_WORK,
    /** It reads or ends work: only its caller's limits apply. */
    OTHER
  }

  /**
   * Reads {@code POST /orders/{id}/return}.
   *
   * @throws IllegalArgumentException if it cannot be parsed
   */
  static RequestPattern parse(String text, Kind kind) {
    String[] parts = text.strip().split("\\s+");
    if (parts.length != 2 || !parts[1].startsWith("/")) {
      throw new IllegalArgumentException(
          "\"%s\" names no requests; a method and a path do, such as POST /orders/{id}/return"
              .formatted(text));
    }
    return new RequestPattern(
        parts[0] + " " + parts[1], parts[0].toUpperCase(Locale.ROOT), segments(parts[1]), kind);
  }

  /** HEAD costs what GET does, which answers it. */
  boolean matches(String otherMethod, List<String> others) {
    if (!method.equals(otherMethod) && !(method.equals("GET") && otherMethod.equals("HEAD"))) {
      return false;
    }
    boolean isOpen = !segments.isEmpty() && segments.getLast().endsWith(REST);
    if (isOpen ? others.size() < segments.size() : others.size() != segments.size()) {
      return false;
    }
    for (int i = 0; i < segments.size(); i++) {
      if (!isAny(segments.get(i)) && !segments.get(i).equals(others.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAny(String segment) {
    return segment.startsWith("{") && segment.endsWith("}");
  }

  /**
   * Without empty segments and without matrix parameters: a resource is found without them, and
   * there are no limits for a request that matches no pattern.
   */
  static List<String> segments(String path) {
    return Arrays.stream(path.split("/"))
        .map(RequestPattern::withoutParameters)
        .filter(segment -> !segment.isEmpty())
        .toList();
  }

  private static String withoutParameters(String segment) {
    int begin = segment.indexOf(';');
    return begin < 0 ? segment : segment.substring(0, begin);
  }
}
