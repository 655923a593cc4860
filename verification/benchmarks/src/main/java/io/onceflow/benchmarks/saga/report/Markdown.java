package io.onceflow.benchmarks.saga.report;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** The report for people: Markdown whose tables are also legible on a terminal. */
public final class Markdown {

  private final StringBuilder text = new StringBuilder();

  private Markdown() {}

  /** Writes it. */
  public static String of(Report report) {
    Markdown markdown = new Markdown();
    markdown.machine(report);
    report.sections().forEach(markdown::section);
    markdown.verdict(report);
    return markdown.text.toString();
  }

  private void machine(Report report) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(
        List.of("measured at", report.startedAt().truncatedTo(ChronoUnit.MINUTES).toString()));
    report.machine().forEach((name, fact) -> lines.add(List.of(name, fact)));
    new TextTable(false, lines).appendTo(text);
  }

  private void section(Section section) {
    text.append("\n### ").append(section.title()).append("\n\n");
    List<List<String>> lines = new ArrayList<>();
    List<String> head = new ArrayList<>(section.columns());
    if (section.hasTargets()) {
      head.add("target");
    }
    lines.add(head);
    for (ReportRow row : section.rows()) {
      List<String> line = new ArrayList<>();
      line.add(row.label());
      row.cells().forEach(cell -> line.add(cell.text()));
      if (section.hasTargets()) {
        line.add(row.verdict());
      }
      lines.add(line);
    }
    new TextTable(true, lines).appendTo(text);
    if (!section.note().isEmpty()) {
      text.append('\n').append(section.note()).append('\n');
    }
  }

  private void verdict(Report report) {
    text.append('\n');
    report.faults().forEach(fault -> text.append("- **WRONG** ").append(fault).append('\n'));
    if (report.faults().isEmpty()) {
      text.append(report.verdict()).append('\n');
    }
    if (report.missed() > 0) {
      text.append("Lines that miss their target: ").append(report.missed()).append(".\n");
    }
  }
}
