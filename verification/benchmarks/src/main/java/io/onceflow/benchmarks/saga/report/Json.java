package io.onceflow.benchmarks.saga.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The report for machines: {@code sections.<section>.<row>.<figure>}, and {@code missed}, the
 * targets that were missed.
 */
public final class Json {

  private Json() {}

  /** Writes it. */
  public static String of(Report report) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("startedAt", report.startedAt().toString());
    ObjectNode machine = root.putObject("machine");
    report.machine().forEach(machine::put);
    ObjectNode sections = root.putObject("sections");
    ObjectNode missed = JsonNodeFactory.instance.objectNode();
    for (Section section : report.sections()) {
      ObjectNode rows = sections.putObject(section.key());
      section.rows().forEach(row -> write(row, rows, section.key(), missed));
    }
    root.set("missed", missed);
    report.faults().forEach(root.putArray("faults")::add);
    return root.toPrettyString() + "\n";
  }

  private static void write(ReportRow row, ObjectNode rows, String section, ObjectNode missed) {
    ObjectNode figures = rows.putObject(row.key());
    for (Cell cell : row.cells()) {
      if (cell.isMeasured()) {
        figures.put(cell.key(), cell.value());
      } else if (!cell.words().isEmpty()) {
        figures.put(cell.key(), cell.words());
      }
      if (cell.isMissed()) {
        missed.put(String.join(".", section, row.key(), cell.key()), String.valueOf(cell.target()));
      }
    }
  }
}
