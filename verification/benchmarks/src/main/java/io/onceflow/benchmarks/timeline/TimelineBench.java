package io.onceflow.benchmarks.timeline;

import io.onceflow.benchmarks.machine.BenchBackends;
import io.onceflow.benchmarks.machine.Machine;
import io.onceflow.benchmarks.peers.OrderMix;
import io.onceflow.benchmarks.saga.OpenRun;
import io.onceflow.benchmarks.saga.Runs;
import io.onceflow.benchmarks.saga.load.OrderBooks;
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
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * Runs sagas alone and at a part of what the stack can do, and tells where each of them was when.
 */
final class TimelineBench {

  private static final int CLIENTS = 32;
  private static final int MEDIAN = 50;
  private static final int ONE_IN_HUNDRED = 99;

  private final Home home;
  private final Plan plan;
  private final ProgressLog progress;

  /**
   * What is measured.
   *
   * @param stack where PostgreSQL and the broker run
   * @param warmUp how long it is loaded before anything is measured
   * @param length of the run that measures what the stack can do, and of the one at a part of it
   * @param alone how many sagas run one after the other
   * @param part of what the stack can do
   */
  record Plan(BenchBackends.Kind stack, Duration warmUp, Duration length, int alone, double part) {}

  TimelineBench(Home home, Plan plan, PrintWriter progress) {
    this.home = home;
    this.plan = plan;
    this.progress = new ProgressLog(progress);
  }

  /** Starts what it needs, runs, and stops everything. */
  Report run() throws IOException, InterruptedException {
    Instant startedAt = Instant.now();
    progress.say("Starting PostgreSQL, the broker and the services");
    try (BenchServers servers = BenchServers.start(plan.stack(), home);
        SagaStack stack = SagaStack.start(home, servers);
        Runs runs = new Runs(stack, new KeyFiles(home.keys()))) {
      Map<String, String> machine = Machine.hardware();
      machine.putAll(servers.describe());
      progress.say("Warming up for %d s", plan.warmUp().toSeconds());
      runs.closedLoop(CLIENTS, plan.warmUp(), OrderMix.ALL_CONFIRMED);
      double capacity =
          runs.closedLoop(CLIENTS, plan.length(), OrderMix.ALL_CONFIRMED).sagasPerSecond();
      progress.say("%d clients, closed loop: %.0f sagas/s", CLIENTS, capacity);
      StageTimeline alone = alone(servers, runs);
      StageTimeline loaded = loaded(servers, runs, Math.max(1, plan.part() * capacity));
      List<Section> sections = List.of(section(alone, loaded, plan.part(), capacity));
      List<String> faults = new ArrayList<>(runs.faults());
      faults.addAll(alone.faults("alone"));
      faults.addAll(loaded.faults("open loop"));
      return new Report(startedAt, machine, sections, faults);
    } catch (SQLException e) {
      throw new IOException("The database does not answer: " + e.getMessage(), e);
    }
  }

  private StageTimeline alone(BenchServers servers, Runs runs)
      throws IOException, SQLException, InterruptedException {
    progress.say("One saga alone, %d times", plan.alone());
    UUID since = OrderBooks.now();
    return timeline(servers, since, runs.oneAlone(plan.alone()).startedMicros());
  }

  private StageTimeline loaded(BenchServers servers, Runs runs, double perSecond)
      throws IOException, SQLException, InterruptedException {
    progress.say("Open loop, %.0f requests a second", perSecond);
    UUID since = OrderBooks.now();
    OpenRun run = runs.openLoop(plan.part(), perSecond, plan.length());
    return timeline(servers, since, run.startedMicros());
  }

  private static StageTimeline timeline(
      BenchServers servers, UUID since, Map<UUID, Long> startedMicros) throws SQLException {
    try (Connection orders = servers.connect("orders");
        Connection payments = servers.connect("payments");
        Connection shipping = servers.connect("shipping")) {
      return new StageTimes(orders, payments, shipping, since).read(startedMicros);
    }
  }

  /** A line for each stage. */
  static Section section(StageTimeline alone, StageTimeline loaded, double part, double capacity) {
    String share = String.format(Locale.ROOT, "%.2f", part);
    List<ReportRow> rows = new ArrayList<>();
    for (Stage stage : Stage.values()) {
      List<Cell> cells = new ArrayList<>();
      cells.addAll(cells("alone", alone, stage));
      cells.addAll(cells("loaded", loaded, stage));
      rows.add(new ReportRow(stage.key(), stage.label(), cells));
    }
    return new Section(
        "timeline",
        "Where a saga is when",
        String.format(
            Locale.ROOT,
            "Milliseconds. %,d sagas one after the other, and %,d at %s of %.0f sagas/s, what 32"
                + " clients reach in a closed loop. «After» is from the stage before, each column a"
                + " percentile of its own: they do not add up. Between a commit and the next"
                + " service's taking lie the relay, the broker and the wait for the consumer's"
                + " batch; commits are dated before their flush to disk.",
            alone.sagas().size(),
            loaded.sagas().size(),
            share,
            capacity),
        List.of(
            "stage",
            "alone, since POST p50",
            "after p50",
            "after p99",
            "at " + share + ", since POST p50",
            "after p50",
            "after p99"),
        rows);
  }

  private static List<Cell> cells(String run, StageTimeline timeline, Stage stage) {
    return List.of(
        Cell.of(run + "SincePostP50Ms", timeline.sincePostMs(stage, MEDIAN), 2),
        Cell.of(run + "AfterP50Ms", timeline.sinceLastMs(stage, MEDIAN), 2),
        Cell.of(run + "AfterP99Ms", timeline.sinceLastMs(stage, ONE_IN_HUNDRED), 2));
  }
}
