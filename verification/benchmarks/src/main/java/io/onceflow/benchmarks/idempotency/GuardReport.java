package io.onceflow.benchmarks.idempotency;

import static java.util.stream.Collectors.joining;

import io.onceflow.benchmarks.machine.Observed.Series;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * The figures, to be read and to be compared.
 *
 * @param startedAt when the first run started
 * @param machine what it ran on, by name
 * @param load processes that ran before anything was started, on average over a minute
 * @param results one for each run
 */
public record GuardReport(
    Instant startedAt, Plan plan, Map<String, String> machine, double load, List<Result> results) {

  private static final double NANOS_IN_MS = 1e6;
  private static final double MEDIAN = 50;
  private static final double WORST_HUNDREDTH = 99;

  /** What must not be: an execution too many or too few, a wrong answer. */
  public List<String> faults() {
    return results.stream().flatMap(result -> result.faults().stream()).toList();
  }

  /** All of it as Markdown. */
  public String markdown() {
    List<String> parts = new ArrayList<>();
    parts.add(preface());
    parts.add(
        section(
            "Each request has its own key",
            Set.of(Workload.UNGUARDED, Workload.OWN_KEYS, Workload.OWN_KEYS_LEASED)));
    parts.add(section("A herd on a new key", Set.of(Workload.HERD)));
    parts.add(section("Repeats of a finished key", Set.of(Workload.REPEATS)));
    parts.add(verdict());
    return String.join("\n", parts);
  }

  private String preface() {
    String facts =
        machine.entrySet().stream()
            .map(fact -> "| %s | %s |\n".formatted(fact.getKey(), fact.getValue()))
            .collect(joining());
    return text(
        """
        | measured at | %s |
        |---|---|
        %s| load before | %.2f (processes that ran or wanted to, average of one minute) |
        | runs | one of %d s for each line, after %d s of warm-up for each store |
        """,
        startedAt.truncatedTo(ChronoUnit.MINUTES),
        facts,
        load,
        plan.length().toSeconds(),
        plan.warmUp().toSeconds());
  }

  private String section(String title, Set<Workload> workloads) {
    List<Result> lines =
        results.stream().filter(it -> workloads.contains(it.scenario().workload())).toList();
    boolean isHerd = workloads.contains(Workload.HERD);
    return "### %s\n\n%s%s"
        .formatted(
            title,
            isHerd ? ReportColumns.HERD_HEAD : ReportColumns.HEAD,
            lines.stream().map(it -> isHerd ? herd(it) : line(it)).collect(joining()));
  }

  private static String line(Result it) {
    return text(
        "| %s | %d | %.0f | %s | %s | %s\n",
        ReportColumns.guard(it.scenario()),
        it.scenario().clients(),
        it.measured().answersPerSecond(),
        ms(it.measured().answers(), MEDIAN),
        ms(it.measured().answers(), WORST_HUNDREDTH),
        cost(it));
  }

  private static String herd(Result it) {
    return text(
        "| %s | %d | %d | %.0f | %s | %s | %s | %s | %s\n",
        ReportColumns.guard(it.scenario()),
        it.scenario().replicas(),
        it.scenario().clients(),
        it.measured().roundsPerSecond(),
        ms(it.measured().rounds(), MEDIAN),
        ms(it.measured().rounds(), WORST_HUNDREDTH),
        ms(it.measured().answers(), MEDIAN),
        ms(it.measured().answers(), WORST_HUNDREDTH),
        cost(it));
  }

  private static String cost(Result it) {
    return text(
        "%.2f | %s | %s | %d | %d |",
        it.cpuMsPerAnswer(),
        series(it.observed().busy()),
        series(it.observed().waiting()),
        it.measured().keys(),
        it.executions().count());
  }

  private static String series(Series series) {
    return text("%.1f / %d", series.mean(), series.max());
  }

  private static String ms(Histogram times, double percentile) {
    return text("%.1f", times.getValueAtPercentile(percentile) / NANOS_IN_MS);
  }

  private String verdict() {
    List<String> faults = faults();
    if (faults.isEmpty()) {
      return "Every key was executed once, and every answer was the one of its key.\n";
    }
    return faults.stream().map(fault -> "- **WRONG** " + fault + "\n").collect(joining());
  }

  /** Always with a decimal point, independent of the machine's locale. */
  private static String text(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
