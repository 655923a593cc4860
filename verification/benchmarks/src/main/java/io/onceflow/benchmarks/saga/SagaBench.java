package io.onceflow.benchmarks.saga;

import io.onceflow.benchmarks.ceiling.Ceiling;
import io.onceflow.benchmarks.ceiling.SagaRecorder;
import io.onceflow.benchmarks.ceiling.SqlCeiling;
import io.onceflow.benchmarks.cost.CostMeter;
import io.onceflow.benchmarks.cost.SagaCost;
import io.onceflow.benchmarks.cost.Snapshot;
import io.onceflow.benchmarks.drain.DrainQueue;
import io.onceflow.benchmarks.drain.Drained;
import io.onceflow.benchmarks.drain.RelayDrain;
import io.onceflow.benchmarks.history.OldRows;
import io.onceflow.benchmarks.history.OldSagas;
import io.onceflow.benchmarks.machine.Machine;
import io.onceflow.benchmarks.saga.load.OneAlone;
import io.onceflow.benchmarks.saga.report.ProgressLog;
import io.onceflow.benchmarks.saga.report.Report;
import io.onceflow.benchmarks.saga.report.Section;
import io.onceflow.benchmarks.saga.stack.BenchServers;
import io.onceflow.benchmarks.saga.stack.SagaStack;
import io.onceflow.benchmarks.sql.DatabaseServer;
import io.onceflow.launcher.servers.Credentials;
import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.token.KeyFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** Starts what it needs, runs the plan, and stops everything. */
public final class SagaBench {

  private static final Duration LONGEST_DRAIN = Duration.ofMinutes(5);

  /**
   * Clients of a closed loop do not wait for their sagas, and on a fast machine more of them pile
   * up than a service should let in. Here it is measured how fast they are worked off.
   */
  public static final Map<String, String> ALL_ARE_LET_IN =
      Map.of("ONCEFLOW_SAGA_MOST_UNDER_WAY", "1000000", "ONCEFLOW_OUTBOX_MOST_WAITING", "1000000");

  private final Home home;
  private final SagaPlan plan;
  private final ProgressLog progress;

  /**
   * A bench.
   *
   * @param home where the services were built
   * @param progress gets progress messages; not the report
   */
  public SagaBench(Home home, SagaPlan plan, PrintWriter progress) {
    this.home = home;
    this.plan = plan;
    this.progress = new ProgressLog(progress);
  }

  /** Runs the whole plan. */
  public Report run() throws IOException, InterruptedException {
    Instant startedAt = Instant.now();
    double load = Machine.load();
    if (Machine.isBusy()) {
      progress.say("This machine is busy (load %.1f): the figures will say little", load);
    }
    progress.say("Starting PostgreSQL and the broker");
    try (BenchServers servers = BenchServers.start(plan.stack(), home)) {
      Thread whenKilled = new Thread(servers::close);
      Runtime.getRuntime().addShutdownHook(whenKilled);
      try {
        Map<String, String> machine = Machine.hardware();
        machine.putAll(servers.describe());
        machine.put("load before", String.format(Locale.ROOT, "%.2f", load));
        progress.say("On %s", servers.description());
        return measure(servers, startedAt, machine);
      } finally {
        Runtime.getRuntime().removeShutdownHook(whenKilled);
      }
    } catch (SQLException e) {
      throw new IOException("The database does not answer: " + e.getMessage(), e);
    }
  }

  private Report measure(BenchServers servers, Instant startedAt, Map<String, String> machine)
      throws IOException, SQLException, InterruptedException {
    progress.say("Starting the services, one after the other");
    try (SagaStack stack = SagaStack.start(home, servers, ALL_ARE_LET_IN);
        Runs runs = new Runs(stack, new KeyFiles(home.keys()))) {
      CostMeter meter = new CostMeter(stack.servers().database(), stack.pids(), stack.metrics());
      Duration warmedUp = plan.warmUp().of(runs, meter, progress::tell);
      machine.put("warm-up", warmedUp.toSeconds() + " s");
      return new Report(startedAt, machine, sections(stack, runs, meter), runs.faults());
    }
  }

  private List<Section> sections(SagaStack stack, Runs runs, CostMeter meter)
      throws IOException, SQLException, InterruptedException {
    DatabaseServer database = stack.servers().database();
    Sections sections = new Sections(stack.servers().isRabbitMq());
    Ceiling ceiling = ceiling(database, runs);
    List<CostSections.Column> costs = new ArrayList<>();
    List<ClosedRun> closed = closedLoops(runs, meter, costs);
    List<Section> measured = new ArrayList<>();
    measured.add(sections.closedLoops(closed, ceiling.best()));
    measured.add(sections.ceiling(ceiling));
    measured.add(sections.openLoops(openLoops(runs, usual(closed))));
    measured.add(sections.oneAlone(oneAlone(runs, meter, costs), plan.alone()));
    progress.say("Replays of stored answers");
    measured.add(sections.replays(runs.replays(SagaPlan.USUAL_CLIENTS, plan.length())));
    measured.add(drain(sections, stack.servers(), database));
    CostSections cost = new CostSections(costs);
    measured.add(cost.processes(meter.peakMemory()));
    measured.add(cost.counts());
    if (plan.oldRows() > 0) {
      measured.add(oldRows(sections, runs, database));
    }
    measured.add(sections.startUps(stack.startUps()));
    return measured;
  }

  /** What the same PostgreSQL does with the same statements and nothing else. */
  private Ceiling ceiling(DatabaseServer database, Runs runs)
      throws IOException, SQLException, InterruptedException {
    return SqlCeiling.measure(
        SagaRecorder.record(database, runs::oneSaga),
        database,
        plan.ceiling(),
        SqlCeiling.CONNECTIONS,
        progress::tell);
  }

  /** As its commands go, bundled, and one by one. */
  private Section drain(Sections sections, BenchServers servers, DatabaseServer database)
      throws IOException, SQLException, InterruptedException {
    try (DrainQueue queue =
        DrainQueue.bind(
            "localhost", servers.brokerPort(), Credentials.BROKER_USER, Credentials.PASSWORD)) {
      Drained packed = drain(queue, DrainQueue.PACKED, database);
      return sections.relay(packed, drain(queue, DrainQueue.SINGLY, database));
    } catch (TimeoutException e) {
      throw new IOException("The broker does not answer", e);
    }
  }

  private Drained drain(DrainQueue queue, String routingKey, DatabaseServer database)
      throws IOException, SQLException, InterruptedException {
    progress.say("The relay: %,d messages that wait, to %s", plan.drained(), routingKey);
    Drained drained = RelayDrain.measure(database, routingKey, plan.drained(), LONGEST_DRAIN);
    progress.say("They came as %,d to the broker", queue.waiting());
    queue.purge();
    return drained;
  }

  /** Compared with a run just before: since the first ones, code has been compiled further. */
  private Section oldRows(Sections sections, Runs runs, DatabaseServer database)
      throws IOException, SQLException, InterruptedException {
    ClosedRun before = runs.closedLoop(SagaPlan.USUAL_CLIENTS, plan.length());
    progress.say("Filling the tables with %,d old rows", plan.oldRows());
    OldRows filled = OldSagas.fill(database, plan.oldRows(), progress::tell);
    ClosedRun after = runs.closedLoop(SagaPlan.USUAL_CLIENTS, plan.length());
    progress.say("Closed loop on old rows: %.0f sagas/s", after.sagasPerSecond());
    return sections.oldRows(before, after, filled.total());
  }

  /** Notes, beside the times, what a saga cost; and what the stack does without one. */
  private OneAlone.Took oneAlone(Runs runs, CostMeter meter, List<CostSections.Column> costs)
      throws IOException, SQLException, InterruptedException {
    progress.say("No saga, for %d s", plan.length().toSeconds());
    SagaCost idle = meter.idle(plan.length());
    progress.say("One saga alone, %d times", plan.alone());
    Snapshot before = meter.start();
    OneAlone.Took took = runs.oneAlone(plan.alone());
    costs.addFirst(CostSections.Column.alone(meter.since(before, plan.alone()), idle));
    costs.addFirst(CostSections.Column.idle(idle));
    return took;
  }

  /** Notes, beside each run, what a saga cost in it. */
  private List<ClosedRun> closedLoops(Runs runs, CostMeter meter, List<CostSections.Column> costs)
      throws IOException, SQLException, InterruptedException {
    List<ClosedRun> closed = new ArrayList<>();
    for (int clients : plan.clients()) {
      Snapshot before = meter.start();
      ClosedRun run = runs.closedLoop(clients, plan.length());
      SagaCost cost = meter.since(before, Math.max(1, run.sagas()));
      costs.add(CostSections.Column.of(run, cost));
      progress.say("Closed loop, %d clients: %.0f sagas/s", clients, run.sagasPerSecond());
      closed.add(run);
    }
    return closed;
  }

  private static ClosedRun usual(List<ClosedRun> closed) {
    return closed.stream()
        .filter(it -> it.clients() == SagaPlan.USUAL_CLIENTS)
        .findFirst()
        .orElse(closed.getLast());
  }

  private List<OpenRun> openLoops(Runs runs, ClosedRun closed)
      throws IOException, SQLException, InterruptedException {
    List<OpenRun> open = new ArrayList<>();
    for (double part : SagaPlan.OPEN_LOOPS) {
      double perSecond = Math.max(1, part * closed.sagasPerSecond());
      progress.say("Open loop, %.0f requests a second", perSecond);
      open.add(runs.openLoop(part, perSecond, plan.length()));
    }
    return open;
  }
}
