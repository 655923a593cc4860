package io.onceflow.benchmarks.saga.report;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * All results of one run of the benchmark.
 *
 * @param startedAt when it started
 * @param machine what it ran on, by name
 * @param sections the figures
 * @param faults wrong results, in words; empty if there are none
 * @param verdict what is said if there are none
 */
public record Report(
    Instant startedAt,
    Map<String, String> machine,
    List<Section> sections,
    List<String> faults,
    String verdict) {

  private static final String ALL_CONFIRMED =
      "Every order was confirmed, with one payment and one shipment, and the outboxes were empty"
          + " after each run.";

  /** Of runs in which every order had to be confirmed. */
  public Report(
      Instant startedAt, Map<String, String> machine, List<Section> sections, List<String> faults) {
    this(startedAt, machine, sections, faults, ALL_CONFIRMED);
  }

  /** Copies the lists. */
  public Report {
    sections = List.copyOf(sections);
    faults = List.copyOf(faults);
  }

  /** How many lines miss their target. */
  public long missed() {
    return sections.stream().flatMap(it -> it.rows().stream()).filter(ReportRow::isMissed).count();
  }

  /** A section's rows; none if there is no such section. */
  List<ReportRow> rows(String section) {
    return sections.stream()
        .filter(it -> it.key().equals(section))
        .flatMap(it -> it.rows().stream())
        .toList();
  }

  /** A figure; NaN if there is none. */
  double figure(String section, String row, String cell) {
    return rows(section).stream()
        .filter(it -> it.key().equals(row))
        .flatMap(it -> it.cells().stream())
        .filter(it -> it.key().equals(cell))
        .mapToDouble(Cell::value)
        .findFirst()
        .orElse(Double.NaN);
  }
}
