package io.onceflow.benchmarks.saga.report;

import java.util.List;

/**
 * A table.
 *
 * @param key by which machines find it
 * @param title for people
 * @param note what to know when reading it; empty if nothing
 * @param columns the head of the first column, then of each figure
 * @param rows the lines, each with one figure less than there are columns
 */
public record Section(
    String key, String title, String note, List<String> columns, List<ReportRow> rows) {

  /** Copies the lists and checks that they fit. */
  public Section {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
    for (ReportRow row : rows) {
      if (row.cells().size() != columns.size() - 1) {
        throw new IllegalArgumentException("Row %s of %s does not fit".formatted(row.key(), key));
      }
    }
  }

  boolean hasTargets() {
    return rows.stream().anyMatch(ReportRow::hasTarget);
  }
}
