package io.onceflow.benchmarks.idempotency;

import io.onceflow.benchmarks.load.Callers;
import io.onceflow.benchmarks.load.Measured;
import io.onceflow.benchmarks.machine.BenchBackends;
import io.onceflow.benchmarks.machine.Executions;
import io.onceflow.benchmarks.machine.Machine;
import io.onceflow.benchmarks.machine.Observed;
import io.onceflow.benchmarks.machine.SessionSampler;
import io.onceflow.launcher.stack.Home;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts what it needs, runs the plan, and stops everything. */
public final class Bench {

  /** Clients of a warm-up: enough to use every thread that the measured runs use often. */
  private static final int WARM_UP_CLIENTS = 16;

  private final Home home;
  private final Plan plan;
  private final PrintWriter progress;
  private final List<Result> results = new ArrayList<>();

  /**
   * A bench.
   *
   * @param home where the application was built
   * @param progress gets progress messages; not the report
   */
  public Bench(Home home, Plan plan, PrintWriter progress) {
    this.home = home;
    this.plan = plan;
    this.progress = progress;
  }

  /** Runs the whole plan. */
  public GuardReport run() throws IOException, InterruptedException {
    Instant startedAt = Instant.now();
    double load = Machine.load();
    if (Machine.isBusy()) {
      say("This machine is busy (load %.1f): the figures will say little".formatted(load));
    }
    try (BenchBackends backends = BenchBackends.start(plan.stack())) {
      Thread whenKilled = new Thread(backends::close);
      Runtime.getRuntime().addShutdownHook(whenKilled);
      try {
        Map<String, String> machine = Machine.describe(backends);
        for (Store store : plan.stores()) {
          measure(backends, store);
        }
        return new GuardReport(startedAt, plan, machine, load, List.copyOf(results));
      } finally {
        Runtime.getRuntime().removeShutdownHook(whenKilled);
      }
    } catch (SQLException e) {
      throw new IOException("The database does not answer", e);
    }
  }

  private void measure(BenchBackends backends, Store store)
      throws IOException, SQLException, InterruptedException {
    try (Replicas replicas = Replicas.start(home, backends, store)) {
      say("%s: warming up for %d s".formatted(store.spelling(), plan.warmUp().toSeconds()));
      warmUp(replicas, store);
      for (Scenario scenario : plan.scenarios(store)) {
        say("%d/%d %s".formatted(results.size() + 1, plan.runs(), scenario));
        results.add(measure(backends, replicas, scenario));
      }
    }
  }

  /** A little of everything, so that each run finds its code compiled. */
  private void warmUp(Replicas replicas, Store store) throws InterruptedException {
    List<Workload> workloads =
        List.of(Workload.values()).stream().filter(it -> it.isMeasuredWith(store)).toList();
    Duration share = plan.warmUp().dividedBy(workloads.size());
    for (Workload workload : workloads) {
      load(workload, replicas.urls(Plan.REPLICAS), WARM_UP_CLIENTS, share);
    }
  }

  private Result measure(BenchBackends backends, Replicas replicas, Scenario scenario)
      throws IOException, SQLException, InterruptedException {
    Executions.forget(backends);
    SessionSampler watch = SessionSampler.start(backends);
    Duration before = replicas.cpu();
    Measured measured =
        load(
            scenario.workload(),
            replicas.urls(scenario.replicas()),
            scenario.clients(),
            plan.length());
    Duration cpu = replicas.cpu().minus(before);
    Observed observed = watch.stop();
    return new Result(scenario, measured, observed, Executions.count(backends), cpu);
  }

  private static Measured load(Workload workload, List<URI> urls, int clients, Duration length)
      throws InterruptedException {
    try (Callers callers = new Callers(urls, clients)) {
      return workload.load(callers).run(length);
    }
  }

  private void say(String what) {
    progress.println(what);
    progress.flush();
  }
}
