package io.onceflow.benchmarks.saga;

import io.onceflow.benchmarks.machine.BenchBackends;
import io.onceflow.benchmarks.machine.Machine;
import io.onceflow.benchmarks.saga.load.Second;
import io.onceflow.benchmarks.saga.load.Times;
import io.onceflow.benchmarks.saga.report.Cell;
import io.onceflow.benchmarks.saga.report.OverloadPlot;
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
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Measures what a stack can take, and then sends it twice as much. */
public final class OverloadBench {

  /** More would place orders so much faster than they end that some were shed before it starts. */
  private static final int CLIENTS = 64;

  private final Home home;
  private final Plan plan;
  private final ProgressLog progress;

  /**
   * What is to be done.
   *
   * @param stack where PostgreSQL and the broker run
   * @param warmUp how long it is loaded before anything is measured
   * @param length of each run
   * @param factor how many times what it can take
   */
  public record Plan(BenchBackends.Kind stack, Duration warmUp, Duration length, double factor) {}

  /** The report, and the curve as SVG. */
  public record Overloaded(Report report, String curve) {}

  /**
   * A bench.
   *
   * @param home where the services were built
   * @param progress gets progress messages; not the report
   */
  public OverloadBench(Home home, Plan plan, PrintWriter progress) {
    this.home = home;
    this.plan = plan;
    this.progress = new ProgressLog(progress);
  }

  /** Starts what it needs, runs, and stops everything. */
  public Overloaded run() throws IOException, InterruptedException {
    Instant startedAt = Instant.now();
    progress.say("Starting PostgreSQL, the broker and the services");
    try (BenchServers servers = BenchServers.start(plan.stack(), home);
        SagaStack stack = SagaStack.start(home, servers);
        Runs runs = new Runs(stack, new KeyFiles(home.keys()))) {
      Map<String, String> machine = Machine.hardware();
      machine.put("servers", servers.description());
      progress.say("Warming up for %d s", plan.warmUp().toSeconds());
      runs.closedLoop(CLIENTS, plan.warmUp());
      ClosedRun before = runs.closedLoop(CLIENTS, plan.length());
      progress.say("%d clients, closed loop: %.0f sagas/s", CLIENTS, before.sagasPerSecond());
      double offered = plan.factor() * before.sagasPerSecond();
      progress.say("Sending %.0f orders a second", offered);
      OverloadRun run = runs.overload(offered, plan.length());
      progress.say(
          "%.0f accepted, %.0f shed a second", run.acceptedPerSecond(), run.shedPerSecond());
      ClosedRun after = runs.closedLoop(CLIENTS, plan.length());
      progress.say("After it, closed loop again: %.0f sagas/s", after.sagasPerSecond());
      Report report =
          new Report(startedAt, machine, List.of(section(before, run, after)), runs.faults());
      return new Overloaded(report, curve(run, before.sagasPerSecond()));
    } catch (SQLException e) {
      throw new IOException("The database does not answer: " + e.getMessage(), e);
    }
  }

  private static Section section(ClosedRun before, OverloadRun run, ClosedRun after) {
    return new Section(
        "overload",
        "Overload: %.1f times what it can take".formatted(run.offered() / before.sagasPerSecond()),
        "What it can take are the complete sagas of a closed loop just before. Times from the moment"
            + " when a request was meant to be sent.",
        List.of("", ""),
        List.of(
            row("before", "it can take, sagas/s", before.sagasPerSecond(), 0),
            row("offered", "offered, orders/s", run.offered(), 0),
            row("accepted", "accepted, orders/s", run.acceptedPerSecond(), 0),
            row("shed", "shed, orders/s", run.shedPerSecond(), 0),
            row("wrong", "neither accepted nor shed", run.answers().wrong(), 0),
            row("acceptedP50", "accepted, p50 ms", Times.ms(run.all(Second::accepted), 50), 1),
            row("acceptedP99", "accepted, p99 ms", Times.ms(run.all(Second::accepted), 99), 1),
            row("shedP99", "shed, p99 ms", Times.ms(run.all(Second::shed), 99), 1),
            row("outbox", "outbox at most", run.highest(BacklogWatch.Look::outbox), 0),
            row("sagas", "sagas under way at most", run.highest(BacklogWatch.Look::sagas), 0),
            row("drained", "until all was done, s", run.drained().toMillis() / 1000.0, 1),
            row("after", "after it, sagas/s", after.sagasPerSecond(), 0)));
  }

  private static ReportRow row(String key, String label, double value, int digits) {
    return ReportRow.of(key, label, Cell.of("value", value, digits));
  }

  private static String curve(OverloadRun run, double capacity) {
    return OverloadPlot.of(
        IntStream.range(0, (int) run.length().toSeconds())
            .mapToObj(second -> moment(run, second))
            .toList(),
        capacity);
  }

  private static OverloadPlot.Moment moment(OverloadRun run, int number) {
    Second second = run.seconds().get(number);
    return new OverloadPlot.Moment(
        second.accepted().getTotalCount(),
        second.shed().getTotalCount(),
        Times.ms(second.accepted(), 50),
        Times.ms(second.accepted(), 99),
        run.lastIn(number, BacklogWatch.Look::outbox),
        run.lastIn(number, BacklogWatch.Look::sagas));
  }
}
