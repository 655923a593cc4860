package io.onceflow.launcher.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A saga's history as a table: when, counted from its beginning; what; of which step; details. */
final class Timeline {

  private static final List<String> COLUMNS = List.of("event", "step", "detail");

  private Timeline() {}

  /**
   * Renders the answer to {@code GET /orders/{id}/saga}.
   *
   * @return lines without trailing blanks, the first of which says how the saga stands
   */
  static List<String> render(JsonNode saga) {
    List<List<String>> rows = new ArrayList<>();
    @Nullable Instant start = null;
    for (JsonNode entry : saga.path("history")) {
      Instant at = instant(entry.path("at").asText());
      start = start == null ? at : start;
      rows.add(row(entry, since(start, at)));
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        "saga %s, version %s: %s"
            .formatted(
                saga.path("definition").asText("?"),
                saga.path("version").asText("?"),
                saga.path("status").asText("?")));
    lines.addAll(align(rows));
    return lines;
  }

  private static List<String> row(JsonNode entry, String when) {
    return Stream.concat(Stream.of(when), COLUMNS.stream().map(it -> text(entry.path(it))))
        .toList();
  }

  private static String text(JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      return "";
    }
    return value.isValueNode() ? value.asText() : value.toString();
  }

  private static @Nullable Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static String since(@Nullable Instant start, @Nullable Instant at) {
    return start == null || at == null
        ? "?"
        : "+%s ms".formatted(Duration.between(start, at).toMillis());
  }

  /** The first column to the right, the others to the left. */
  private static List<String> align(List<List<String>> rows) {
    int[] widths = new int[COLUMNS.size() + 1];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    line.append(" ".repeat(widths[0] - row.getFirst().length())).append(row.getFirst());
    for (int i = 1; i < widths.length; i++) {
      line.append("  ").append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length()));
    }
    return line.toString().stripTrailing();
  }
}
