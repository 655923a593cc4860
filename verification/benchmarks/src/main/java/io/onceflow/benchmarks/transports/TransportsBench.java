package io.onceflow.benchmarks.transports;

import io.onceflow.benchmarks.cost.CostMeter;
import io.onceflow.benchmarks.cost.SagaCost;
import io.onceflow.benchmarks.cost.Snapshot;
import io.onceflow.benchmarks.machine.BenchBackends;
import io.onceflow.benchmarks.machine.Machine;
import io.onceflow.benchmarks.peers.OrderMix;
import io.onceflow.benchmarks.saga.ClosedRun;
import io.onceflow.benchmarks.saga.Runs;
import io.onceflow.benchmarks.saga.SagaPlan;
import io.onceflow.benchmarks.saga.report.Median;
import io.onceflow.benchmarks.saga.report.ProgressLog;
import io.onceflow.benchmarks.saga.report.Report;
import io.onceflow.benchmarks.transports.TransportResult.Latency;
import io.onceflow.launcher.stack.Home;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Runs the saga on one transport after the other; each has the machine for itself. */
final class TransportsBench {

  private final Home home;
  private final TransportsPlan plan;
  private final ProgressLog progress;
  private final Map<String, String> machine = new LinkedHashMap<>();
  private final List<TransportResult> results = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  /**
   * @param home where the services were built for each transport
   */
  TransportsBench(Home home, TransportsPlan plan, PrintWriter progress) {
    this.home = home;
    this.plan = plan;
    this.progress = new ProgressLog(progress);
  }

  /**
   * Runs the whole plan. A transport that cannot be measured is a fault, and the others continue.
   */
  Report run() throws IOException, InterruptedException {
    Instant startedAt = Instant.now();
    machine.putAll(Machine.hardware());
    machine.put("load before", String.format(Locale.ROOT, "%.2f", Machine.load()));
    if (Machine.isBusy()) {
      progress.say("This machine is busy (load %.1f): the figures will say little", Machine.load());
    }
    for (Transport transport : plan.transports()) {
      try {
        measure(transport);
      } catch (IOException | SQLException | RuntimeException e) {
        faults.add("%s was not measured: %s".formatted(transport.label(), e));
        progress.say("%s", faults.getLast());
      }
    }
    boolean hasTargets = plan.each().stack() == BenchBackends.Kind.DOCKER;
    TransportsSection table = new TransportsSection(plan, results, hasTargets);
    return new Report(startedAt, machine, List.of(table.section()), faults);
  }

  private void measure(Transport transport) throws IOException, SQLException, InterruptedException {
    progress.say("Starting %s", transport.label());
    try (TransportStack stack = TransportStack.start(home, plan.each().stack(), transport)) {
      stack.servers().describe().forEach((name, fact) -> describe(transport, name, fact));
      plan.each().warmUp().of(stack.runs(), stack.meter(), progress::tell);
      results.add(measure(transport, stack.runs(), stack.meter()));
      stack.runs().faults().forEach(fault -> faults.add(transport.label() + ": " + fault));
    }
  }

  /** PostgreSQL is the same for all, but for its log; the broker is not. */
  private void describe(Transport transport, String name, String fact) {
    if (name.equals("servers")) {
      machine.put("servers of " + transport.label(), fact);
    } else {
      machine.putIfAbsent(name, fact);
    }
  }

  private TransportResult measure(Transport transport, Runs runs, CostMeter meter)
      throws IOException, SQLException, InterruptedException {
    Map<Integer, List<Double>> rates = new HashMap<>();
    Map<Integer, List<SagaCost>> costs = new HashMap<>();
    for (int round = 1; round <= plan.rounds(); round++) {
      for (int clients : TransportsPlan.CLIENTS) {
        Snapshot before = meter.start();
        ClosedRun run = runs.closedLoop(clients, plan.each().length(), OrderMix.ALL_CONFIRMED);
        SagaCost cost = meter.since(before, Math.max(1, run.sagas()));
        double rate = run.sagasPerSecond();
        rates.computeIfAbsent(clients, ignored -> new ArrayList<>()).add(rate);
        costs.computeIfAbsent(clients, ignored -> new ArrayList<>()).add(cost);
        progress.say(
            "%s, round %d, %d clients: %.0f sagas/s", transport.label(), round, clients, rate);
      }
    }
    progress.say("%s, one saga alone, %d times", transport.label(), plan.each().alone());
    Latency alone = Latency.of(runs.oneAlone(plan.each().alone()).untilConfirmed());
    double usual = Median.of(rates.get(SagaPlan.USUAL_CLIENTS));
    return new TransportResult(transport, rates, costs, alone, quarter(transport, runs, usual));
  }

  private Latency quarter(Transport transport, Runs runs, double rate)
      throws IOException, SQLException, InterruptedException {
    double perSecond = Math.max(1, TransportsPlan.QUARTER * rate);
    progress.say("%s, %.0f orders a second", transport.label(), perSecond);
    return Latency.of(
        runs.openLoop(TransportsPlan.QUARTER, perSecond, plan.each().length()).untilConfirmed());
  }
}
