package io.onceflow.benchmarks.saga.report;

import java.util.Arrays;
import java.util.List;

/** A comparison as a picture: a line for each product. */
public final class ComparePlot {

  /** The section that is drawn, a row for each product. */
  public static final String SECTION = "compare";

  /** Sagas per second; the number of clients follows. */
  public static final String RATE = "sagasPerSecondWith";

  /** Processor time of a saga; the number of clients follows. */
  public static final String CPU = "cpuMsWith";

  /** Of one saga alone. */
  public static final String ALONE_P50 = "aloneP50Ms";

  private static final List<String> COLOURS =
      List.of("#2f81f7", "#e5534b", "#3fb950", "#d29922", "#8957e5", "#1a9e8f");

  private static final int WIDTH = 1360;

  private ComparePlot() {}

  /**
   * Draws it as SVG.
   *
   * @param clients of the closed loops
   */
  public static String of(Report report, List<Integer> clients) {
    Panel rates = byClients(60, "Sagas per second", clients);
    Panel cpu = byClients(510, "CPU ms per saga", clients);
    Panel alone = new Panel(960, "One saga alone, p50 ms", "");
    List<ReportRow> rows = report.rows(SECTION);
    rows.forEach(row -> alone.at("", Double.NaN));
    for (int i = 0; i < rows.size(); i++) {
      ReportRow row = rows.get(i);
      String colour = COLOURS.get(i % COLOURS.size());
      rates.line(row.label(), colour, figures(report, row, RATE, clients));
      cpu.line(row.label(), colour, figures(report, row, CPU, clients));
      alone.line(row.label(), colour, onlyAt(i, rows.size(), report, row));
    }
    return Plot.drawn(WIDTH, "The same saga on each product", List.of(rates, cpu, alone));
  }

  private static Panel byClients(int left, String title, List<Integer> clients) {
    Panel panel = new Panel(left, title, "clients");
    clients.forEach(it -> panel.at(it.toString(), Double.NaN));
    return panel;
  }

  private static List<Double> figures(
      Report report, ReportRow row, String key, List<Integer> clients) {
    return clients.stream().map(it -> report.figure(SECTION, row.key(), key + it)).toList();
  }

  /** A point of its own for each product. */
  private static List<Double> onlyAt(int place, int places, Report report, ReportRow row) {
    Double[] values = new Double[places];
    Arrays.fill(values, Double.NaN);
    values[place] = report.figure(SECTION, row.key(), ALONE_P50);
    return List.of(values);
  }
}
