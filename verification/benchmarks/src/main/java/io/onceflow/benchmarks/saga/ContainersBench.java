package io.onceflow.benchmarks.saga;

import com.fasterxml.jackson.databind.JsonNode;
import io.onceflow.benchmarks.machine.BenchBackends;
import io.onceflow.benchmarks.machine.Machine;
import io.onceflow.benchmarks.saga.report.ProgressLog;
import io.onceflow.benchmarks.saga.report.Report;
import io.onceflow.benchmarks.saga.stack.BenchServers;
import io.onceflow.benchmarks.saga.stack.SagaStack;
import io.onceflow.benchmarks.saga.stack.ServiceImage;
import io.onceflow.launcher.stack.Home;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures the services in containers of their images beside the same services as processes. Both
 * are up all the time, each with separate servers, and take turns: what else the machine does, and
 * what its compilers have yet to do, falls on both.
 */
public final class ContainersBench {

  private final Home home;
  private final Plan plan;
  private final ProgressLog progress;

  /**
   * What is to be done.
   *
   * @param clients of the closed loops
   * @param warmUp how long each is loaded before anything is measured
   * @param length of each run
   * @param rounds how often each is measured
   */
  public record Plan(int clients, Duration warmUp, Duration length, int rounds) {}

  /**
   * A bench.
   *
   * @param home where the services were built, and whose docker-compose.yml says how containers run
   * @param progress gets progress messages; not the report
   */
  public ContainersBench(Home home, Plan plan, PrintWriter progress) {
    this.home = home;
    this.plan = plan;
    this.progress = new ProgressLog(progress);
  }

  /** Starts what it needs, runs, and stops everything. */
  public Report run() throws IOException, InterruptedException {
    Instant startedAt = Instant.now();
    JsonNode compose = ServiceImage.compose(home.root());
    Map<String, String> machine = Machine.hardware();
    progress.say("Starting PostgreSQL, RabbitMQ and the services, twice");
    try (BenchServers ones = BenchServers.start(BenchBackends.Kind.DOCKER, home);
        SagaStack processes = SagaStack.start(home, ones, SagaBench.ALL_ARE_LET_IN);
        ContainersSide first = new ContainersSide("processes", processes, home);
        BenchServers others = BenchServers.start(BenchBackends.Kind.DOCKER, home);
        SagaStack containers =
            SagaStack.startInContainers(home, others, SagaBench.ALL_ARE_LET_IN, compose);
        ContainersSide second = new ContainersSide("containers", containers, home)) {
      machine.put("servers", ones.description());
      takeTurns(List.of(first, second));
      return new Report(
          startedAt,
          machine,
          List.of(new ContainersSection(plan.clients(), first.result(), second.result()).section()),
          Stream.of(first, second).flatMap(side -> side.faults().stream()).toList());
    } catch (SQLException e) {
      throw new IOException("The database does not answer: " + e.getMessage(), e);
    }
  }

  private void takeTurns(List<ContainersSide> sides)
      throws IOException, SQLException, InterruptedException {
    for (ContainersSide side : sides) {
      progress.say("Warming up the %s for %d s", side.name(), plan.warmUp().toSeconds());
      side.warmUp(plan.clients(), plan.warmUp());
    }
    for (int round = 0; round < plan.rounds(); round++) {
      for (ContainersSide side : sides) {
        double rate = side.measure(plan.clients(), plan.length());
        progress.say("%d clients, %s: %.0f sagas/s", plan.clients(), side.name(), rate);
      }
    }
  }
}
