package io.onceflow.launcher.operators;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rows below a heading, each column as wide as its widest text; columns without text are left out.
 */
final class ShellTable {

  private final List<String> heading;
  private final List<List<String>> rows = new ArrayList<>();

  ShellTable(String... heading) {
    this.heading = List.of(heading);
  }

  /**
   * Of objects of the API.
   *
   * @param columns each a heading and the member below it, such as {@code SAGA=id}
   */
  static ShellTable of(Iterable<JsonNode> objects, String... columns) {
    List<String[]> pairs = Stream.of(columns).map(column -> column.split("=")).toList();
    ShellTable table = new ShellTable(pairs.stream().map(it -> it[0]).toArray(String[]::new));
    for (JsonNode object : objects) {
      table.row(pairs.stream().map(it -> Text.of(object, it[1])).toArray(String[]::new));
    }
    return table;
  }

  ShellTable row(String... cells) {
    if (cells.length != heading.size()) {
      throw new IllegalArgumentException("One cell for each column");
    }
    rows.add(List.of(cells));
    return this;
  }

  void print(PrintWriter out) {
    int[] columns =
        IntStream.range(0, heading.size())
            .filter(column -> rows.stream().anyMatch(row -> !row.get(column).isEmpty()))
            .toArray();
    out.println(line(heading, columns));
    rows.forEach(row -> out.println(line(row, columns)));
    out.flush();
  }

  private String line(List<String> cells, int[] columns) {
    StringBuilder line = new StringBuilder();
    for (int column : columns) {
      String cell = cells.get(column);
      line.append(cell).append(" ".repeat(width(column) - cell.length() + 2));
    }
    return line.toString().stripTrailing();
  }

  private int width(int column) {
    int widest = rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    return Math.max(widest, heading.get(column).length());
  }
}
