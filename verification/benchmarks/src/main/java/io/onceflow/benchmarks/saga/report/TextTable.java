package io.onceflow.benchmarks.saga.report;

import java.util.List;

/**
 * A table of Markdown with columns of even width.
 *
 * @param hasNumbers whether all but the first and the wordy columns are set to the right
 * @param lines the first is the head; all have as many fields
 */
record TextTable(boolean hasNumbers, List<List<String>> lines) {

  void appendTo(StringBuilder text) {
    line(text, 0);
    for (int column = 0; column < lines.getFirst().size(); column++) {
      String dashes = "-".repeat(Math.max(2, width(column)));
      text.append(isRight(column) ? "|-" + dashes + ":" : "|-" + dashes + "-");
    }
    text.append("|\n");
    for (int line = 1; line < lines.size(); line++) {
      line(text, line);
    }
  }

  private void line(StringBuilder text, int line) {
    for (int column = 0; column < lines.getFirst().size(); column++) {
      String field = lines.get(line).get(column);
      String padding = " ".repeat(Math.max(2, width(column)) - field.length());
      text.append("| ").append(isRight(column) ? padding + field : field + padding).append(' ');
    }
    text.append("|\n");
  }

  private int width(int column) {
    return lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0);
  }

  private boolean isRight(int column) {
    return hasNumbers
        && column > 0
        && lines.stream()
            .skip(1)
            .map(line -> line.get(column))
            .allMatch(it -> it.isEmpty() || Character.isDigit(it.charAt(it.length() - 1)))
        && lines.stream().skip(1).noneMatch(line -> line.get(column).contains(":"));
  }
}
