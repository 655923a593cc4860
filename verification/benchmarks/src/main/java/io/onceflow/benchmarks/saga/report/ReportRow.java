package io.onceflow.benchmarks.saga.report;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A line of a table.
 *
 * @param key by which machines find it in its section
 * @param label for people
 * @param cells its figures, as many as the table has columns
 */
public record ReportRow(String key, String label, List<Cell> cells) {

  /** Copies the list. */
  public ReportRow {
    cells = List.copyOf(cells);
  }

  /** A line of several figures. */
  public static ReportRow of(String key, String label, Cell... cells) {
    return new ReportRow(key, label, List.of(cells));
  }

  boolean hasTarget() {
    return cells.stream().anyMatch(it -> it.target() != null);
  }

  boolean isMissed() {
    return cells.stream().anyMatch(Cell::isMissed);
  }

  /** Empty where there is no target. */
  String verdict() {
    String targets =
        cells.stream()
            .map(Cell::target)
            .filter(Objects::nonNull)
            .map(Target::toString)
            .collect(Collectors.joining(", "));
    if (targets.isEmpty()) {
      return "";
    }
    return isMissed() ? "TARGET MISSED: " + targets : "met: " + targets;
  }
}
