package io.onceflow.benchmarks.saga.report;

import java.util.List;

/**
 * The report as a picture: throughput against clients beside the SQL ceiling, and the times of the
 * open loops. Its colours suit a light and a dark page.
 */
public final class Plot {

  private static final int WIDTH = 880;
  private static final int HEIGHT = 340;

  private static final String STYLE =
      """
      <style>
        text { font: 12px system-ui, sans-serif; fill: #57606a }
        .title { font-weight: 600; font-size: 14px; fill: #24292f }
        .grid { stroke: #8c959f; stroke-opacity: .3 }
        .ceiling { stroke: #57606a; stroke-dasharray: 5 4; fill: none }
        @media (prefers-color-scheme: dark) {
          text { fill: #9198a1 } .title { fill: #e6edf3 } .ceiling { stroke: #9198a1 }
        }
      </style>
      """;

  private Plot() {}

  /** Draws it as SVG. */
  public static String of(Report report) {
    return drawn(
        WIDTH,
        "Complete sagas per second, and the times of single ones",
        List.of(throughput(report), times(report)));
  }

  /** Panels beside each other. */
  static String drawn(int width, String title, List<Panel> panels) {
    StringBuilder svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img">
        <title>%s</title>
        """
            .formatted(width, HEIGHT, title));
    svg.append(STYLE);
    panels.forEach(panel -> panel.appendTo(svg));
    return svg.append("</svg>\n").toString();
  }

  private static Panel throughput(Report report) {
    Panel panel = new Panel(60, "Sagas per second, closed loop", "clients");
    report
        .rows("closedLoop")
        .forEach(
            row -> panel.at(row.label(), report.figure("closedLoop", row.key(), "sagasPerSecond")));
    panel.line("sagas/s", "#2f81f7", panel.positions());
    double ceiling = report.figure("ceiling", "best", "sagasPerSecond");
    if (!Double.isNaN(ceiling)) {
      panel.level("SQL ceiling", ceiling);
    }
    return panel;
  }

  private static Panel times(Report report) {
    Panel panel = new Panel(500, "Milliseconds, open loop", "orders per second");
    List<ReportRow> rows = report.rows("openLoop");
    rows.forEach(row -> panel.at(text(row, "ordersPerSecond"), Double.NaN));
    panel.line("POST p50", "#3fb950", figures(rows, "postP50Ms"));
    panel.line("POST p99", "#1a9e8f", figures(rows, "postP99Ms"));
    panel.line("CONFIRMED p50", "#d29922", figures(rows, "confirmedP50Ms"));
    panel.line("CONFIRMED p99", "#e5534b", figures(rows, "confirmedP99Ms"));
    return panel;
  }

  private static List<Double> figures(List<ReportRow> rows, String key) {
    return rows.stream().map(row -> cell(row, key).value()).toList();
  }

  private static String text(ReportRow row, String key) {
    return cell(row, key).text();
  }

  private static Cell cell(ReportRow row, String key) {
    return row.cells().stream()
        .filter(it -> it.key().equals(key))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("There is no figure " + key));
  }
}
