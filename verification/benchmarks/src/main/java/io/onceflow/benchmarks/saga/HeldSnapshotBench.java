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
import java.util.List;
import java.util.Map;

/**
 * Measures sagas while a transaction in each database keeps its snapshot, and without one. What is
 * deleted and updated meanwhile cannot be vacuumed before the snapshots end.
 */
public final class HeldSnapshotBench {

  private static final int WARM_UP_CLIENTS = 32;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Home home;
  private final Plan plan;
  private final ProgressLog progress;

  /**
   * What is to be done.
   *
   * @param stack where PostgreSQL and the broker run
   * @param clients of the closed loop
   * @param length of the run with the snapshots, and of the one without
   * @param warmUp how long it is loaded before anything is measured
   */
  public record Plan(BenchBackends.Kind stack, int clients, Duration length, Duration warmUp) {}

  /**
   * A bench.
   *
   * @param home where the services were built
   * @param progress gets progress messages; not the report
   */
  public HeldSnapshotBench(Home home, Plan plan, PrintWriter progress) {
    this.home = home;
    this.plan = plan;
    this.progress = new ProgressLog(progress);
  }

  /** Starts what it needs, runs, and stops everything. */
  public Report run() throws IOException, InterruptedException {
    Instant startedAt = Instant.now();
    progress.say("Starting PostgreSQL, the broker and the services");
    try (BenchServers servers = BenchServers.start(plan.stack(), home);
        SagaStack stack = SagaStack.start(home, servers, SagaBench.ALL_ARE_LET_IN);
        Runs runs = new Runs(stack, new KeyFiles(home.keys()))) {
      Map<String, String> machine = Machine.hardware();
      machine.put("servers", servers.description());
      progress.say("Warming up for %d s", plan.warmUp().toSeconds());
      runs.closedLoop(WARM_UP_CLIENTS, plan.warmUp());
      List<ReportRow> rows = List.of(withSnapshots(servers, runs), without(runs));
      return new Report(startedAt, machine, List.of(section(plan, rows)), runs.faults());
    } catch (SQLException e) {
      throw new IOException("The database does not answer: " + e.getMessage(), e);
    }
  }

  /** The minute before is without, so that the first minutes of both runs can be compared. */
  private ReportRow withSnapshots(BenchServers servers, Runs runs)
      throws IOException, SQLException, InterruptedException {
    double before = minute(runs).sagasPerSecond();
    progress.say("Before the snapshots: %.0f sagas/s", before);
    HeldSnapshots held = HeldSnapshots.of(servers);
    try {
      return row("held", "snapshots held", before, minutes(runs));
    } finally {
      held.close();
    }
  }

  private ReportRow without(Runs runs) throws IOException, SQLException, InterruptedException {
    double before = minute(runs).sagasPerSecond();
    progress.say("Before the control: %.0f sagas/s", before);
    return row("control", "without", before, minutes(runs));
  }

  private List<ClosedRun> minutes(Runs runs)
      throws IOException, SQLException, InterruptedException {
    List<ClosedRun> minutes = new ArrayList<>();
    for (int minute = 1; minute <= plan.length().toMinutes(); minute++) {
      ClosedRun run = minute(runs);
      minutes.add(run);
      progress.say("Minute %d: %.0f sagas/s", minute, run.sagasPerSecond());
    }
    return minutes;
  }

  private ClosedRun minute(Runs runs) throws IOException, SQLException, InterruptedException {
    return runs.closedLoop(plan.clients(), MINUTE);
  }

  static ReportRow row(String key, String label, double before, List<ClosedRun> minutes) {
    double last = minutes.getLast().sagasPerSecond();
    return ReportRow.of(
        key,
        label,
        Cell.of("before", before, 0),
        Cell.of("firstMinute", minutes.getFirst().sagasPerSecond(), 0),
        Cell.of("allMinutes", average(minutes), 0),
        Cell.of("lastMinute", last, 0),
        Cell.of("lastToBefore", last / before, 2),
        Cell.of("postP99Ms", Times.ms(minutes.getLast().answers().times(), 99), 1));
  }

  private static double average(List<ClosedRun> minutes) {
    return minutes.stream().mapToDouble(ClosedRun::sagasPerSecond).average().orElseThrow();
  }

  static Section section(Plan plan, List<ReportRow> rows) {
    return new Section(
        "heldSnapshot",
        "Closed loop, %d clients: a snapshot held in each database for %d min"
            .formatted(plan.clients(), plan.length().toMinutes()),
        "Sagas/s of runs of a minute each. The snapshots are taken after the minute before, and end"
            + " before the run without them begins.",
        List.of(
            "sagas/s",
            "minute before",
            "first minute",
            "all minutes",
            "last minute",
            "last ÷ before",
            "POST p99 ms, last minute"),
        rows);
  }
}
