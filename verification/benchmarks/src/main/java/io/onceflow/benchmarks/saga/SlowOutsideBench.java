package io.onceflow.benchmarks.saga;

import io.onceflow.benchmarks.machine.BenchBackends;
import io.onceflow.benchmarks.machine.Machine;
import io.onceflow.benchmarks.saga.load.Times;
import io.onceflow.benchmarks.saga.report.Cell;
import io.onceflow.benchmarks.saga.report.ProgressLog;
import io.onceflow.benchmarks.saga.report.Report;
import io.onceflow.benchmarks.saga.report.ReportRow;
import io.onceflow.benchmarks.saga.report.Section;
import io.onceflow.benchmarks.saga.stack.BenchServers;
import io.onceflow.benchmarks.saga.stack.SagaStack;
import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.token.KeyFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measures sagas whose gateway and carrier take their time, one replica of each service. */
public final class SlowOutsideBench {

  private static final int WARM_UP_CLIENTS = 32;
  private static final double MICROS_IN_SECOND = 1e6;

  private final Home home;
  private final Plan plan;
  private final ProgressLog progress;

  /**
   * What is to be done.
   *
   * @param stack where PostgreSQL and the broker run
   * @param latency of each call to gateway and carrier
   * @param rates orders a second, one run each
   * @param warmUp how long it is loaded before anything is measured
   * @param length of each run
   */
  public record Plan(
      BenchBackends.Kind stack,
      Duration latency,
      List<Integer> rates,
      Duration warmUp,
      Duration length) {}

  /**
   * A bench.
   *
   * @param home where the services were built
   * @param progress gets progress messages; not the report
   */
  public SlowOutsideBench(Home home, Plan plan, PrintWriter progress) {
    this.home = home;
    this.plan = plan;
    this.progress = new ProgressLog(progress);
  }

  /** Starts what it needs, runs, and stops everything. */
  public Report run() throws IOException, InterruptedException {
    Instant startedAt = Instant.now();
    progress.say("Starting PostgreSQL, the broker and the services");
    try (BenchServers servers = BenchServers.start(plan.stack(), home);
        SagaStack stack = SagaStack.start(home, servers, settings());
        Runs runs = new Runs(stack, new KeyFiles(home.keys()))) {
      Map<String, String> machine = Machine.hardware();
      machine.put("servers", servers.description());
      progress.say("Warming up for %d s", plan.warmUp().toSeconds());
      runs.closedLoop(WARM_UP_CLIENTS, plan.warmUp());
      LaneLimits limits = new LaneLimits(stack.metrics());
      List<ReportRow> rows = new ArrayList<>();
      for (int rate : plan.rates()) {
        progress.say("Sending %d orders a second", rate);
        rows.add(row(runs.openLoop(1, rate, plan.length()), limits));
      }
      return new Report(startedAt, machine, List.of(section(rows)), runs.faults());
    } catch (SQLException e) {
      throw new IOException("The database does not answer: " + e.getMessage(), e);
    }
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>(SagaBench.ALL_ARE_LET_IN);
    settings.put("ONCEFLOW_SIMULATED_OUTSIDE_LATENCY", plan.latency().toString());
    return settings;
  }

  private Section section(List<ReportRow> rows) {
    return new Section(
        "slowOutside",
        "Open loop: gateway and carrier take %d ms a call".formatted(plan.latency().toMillis()),
        "Sagas/s: all orders of the run over its length and the longest time to CONFIRMED. Times"
            + " from the moment when a request was scheduled. Calls at once: the limit that the"
            + " lanes had found at the end of the run.",
        List.of(
            "orders/s",
            "sagas/s",
            "POST p50 ms",
            "p99",
            "to CONFIRMED p50 ms",
            "p99",
            "shed",
            "charges at once",
            "bookings at once"),
        rows);
  }

  private ReportRow row(OpenRun run, LaneLimits limits) throws IOException, InterruptedException {
    String rate = String.format(Locale.ROOT, "%.0f", run.perSecond());
    return ReportRow.of(
        rate,
        rate,
        Cell.of("sagasPerSecond", sagasPerSecond(run), 0),
        Cell.of("postP50Ms", Times.ms(run.answers().times(), 50), 1),
        Cell.of("postP99Ms", Times.ms(run.answers().times(), 99), 1),
        Cell.of("confirmedP50Ms", Times.ms(run.untilConfirmed(), 50), 1),
        Cell.of("confirmedP99Ms", Times.ms(run.untilConfirmed(), 99), 1),
        Cell.of("shed", run.answers().shed(), 0),
        Cell.of("charges", limits.of("ProcessPayment"), 0),
        Cell.of("bookings", limits.of("ArrangeShipment"), 0));
  }

  private double sagasPerSecond(OpenRun run) {
    double seconds =
        plan.length().toMillis() / 1000.0 + run.untilConfirmed().getMaxValue() / MICROS_IN_SECOND;
    return run.untilConfirmed().getTotalCount() / seconds;
  }
}
