package io.onceflow.benchmarks.saga;

import io.onceflow.benchmarks.cost.CostMeter;
import io.onceflow.benchmarks.cost.SagaCost;
import io.onceflow.benchmarks.cost.Snapshot;
import io.onceflow.benchmarks.saga.ContainersSection.Result;
import io.onceflow.benchmarks.saga.stack.BenchServers;
import io.onceflow.benchmarks.saga.stack.SagaStack;
import io.onceflow.benchmarks.sql.DatabaseServer;
import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.token.KeyFiles;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One of the two stacks that {@link ContainersBench} compares, and what was measured on it. */
final class ContainersSide implements AutoCloseable {

  private final String name;
  private final SagaStack stack;
  private final Runs runs;
  private final CostMeter meter;
  private final List<Double> rates = new ArrayList<>();
  private final List<SagaCost> costs = new ArrayList<>();

  ContainersSide(String name, SagaStack stack, Home home) throws IOException, SQLException {
    this.name = name;
    this.stack = stack;
    BenchServers servers = stack.servers();
    DatabaseServer database =
        new DatabaseServer(servers::jdbcUrl, BenchServers.SUPERUSER, servers.superuserPassword());
    meter = new CostMeter(database, stack.pids(), stack.metrics());
    runs = new Runs(stack, new KeyFiles(home.keys()));
  }

  String name() {
    return name;
  }

  void warmUp(int clients, Duration length) throws IOException, SQLException, InterruptedException {
    runs.closedLoop(clients, length);
  }

  /** Sagas per second. */
  double measure(int clients, Duration length)
      throws IOException, SQLException, InterruptedException {
    Snapshot before = meter.start();
    ClosedRun run = runs.closedLoop(clients, length);
    costs.add(meter.since(before, Math.max(1, run.sagas())));
    rates.add(run.sagasPerSecond());
    return run.sagasPerSecond();
  }

  Result result() {
    return new Result(rates, costs, stack.startUps(), meter.peakMemory());
  }

  List<String> faults() {
    return runs.faults().stream().map(fault -> name + ": " + fault).toList();
  }

  @Override
  public void close() throws SQLException {
    runs.close();
  }
}
