package io.onceflow.benchmarks.compare;

import io.onceflow.benchmarks.cost.CostMeter;
import io.onceflow.benchmarks.cost.SagaCost;
import io.onceflow.benchmarks.cost.Snapshot;
import io.onceflow.benchmarks.machine.Machine;
import io.onceflow.benchmarks.peers.OrderMix;
import io.onceflow.benchmarks.peers.PeerRun;
import io.onceflow.benchmarks.saga.Settling;
import io.onceflow.benchmarks.saga.report.ProgressLog;
import io.onceflow.benchmarks.saga.report.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Runs the same saga on one product after the other; each has the machine for itself. */
final class CompareBench {

  private static final int WARM_UP_CLIENTS = 32;

  private static final String VERDICT =
      "Every saga ended as its order says, with each effect once.";

  private final Peers peers;
  private final ComparePlan plan;
  private final ProgressLog progress;
  private final Map<String, String> machine = new LinkedHashMap<>();
  private final List<PeerResult> results = new ArrayList<>();
  private final Map<PeerName, String> missing = new LinkedHashMap<>();
  private final List<String> faults = new ArrayList<>();

  CompareBench(Peers peers, ComparePlan plan, PrintWriter progress) {
    this.peers = peers;
    this.plan = plan;
    this.progress = new ProgressLog(progress);
  }

  /**
   * Runs the whole plan. A peer that cannot be started or ends is named, and the others continue.
   */
  Report run() throws IOException, InterruptedException {
    Instant startedAt = Instant.now();
    machine.putAll(Machine.hardware());
    machine.put("load before", String.format(Locale.ROOT, "%.2f", Machine.load()));
    if (Machine.isBusy()) {
      progress.say("This machine is busy (load %.1f): the figures will say little", Machine.load());
    }
    for (PeerName name : plan.peers()) {
      try {
        measure(name);
      } catch (IOException | SQLException | RuntimeException e) {
        String reason = e.getMessage() == null ? e.toString() : e.getMessage();
        progress.say("%s is left out: %s", name.label(), reason);
        missing.put(name, reason);
      }
    }
    CompareSections sections = new CompareSections(plan, results, missing);
    return new Report(startedAt, machine, sections.all(), faults, VERDICT);
  }

  private void measure(PeerName name) throws IOException, SQLException, InterruptedException {
    progress.say("Starting %s", name.label());
    try (Peer peer = peers.start(name)) {
      peer.machine().forEach(machine::putIfAbsent);
      warmUp(name, peer);
      Map<Integer, List<Measurement>> runs = rounds(name, peer);
      CostMeter meter = peer.meter();
      SagaCost idle = meter.idle(plan.length());
      Snapshot before = meter.start();
      PeerRun alone = peer.alone(plan.length());
      SagaCost cost = meter.since(before, Math.max(1, alone.sagas())).without(idle);
      PeerResult result = new PeerResult(name, runs, alone, cost, idle);
      progress.say("%s, alone: p50 %.1f ms", name.label(), result.aloneP50Ms());
      results.add(result);
      peer.faults().forEach(fault -> faults.add(name.label() + ": " + fault));
    }
  }

  private void warmUp(PeerName name, Peer peer)
      throws IOException, SQLException, InterruptedException {
    long startedAt = System.nanoTime();
    Settling settling = new Settling();
    CostMeter meter = peer.meter();
    Snapshot before = meter.readTimes();
    while (true) {
      PeerRun slice = peer.run(WARM_UP_CLIENTS, slice(), OrderMix.ONE_IN_TEN_REFUSED);
      Duration elapsed = Duration.ofNanos(System.nanoTime() - startedAt);
      double rate = slice.sagasPerSecond();
      Snapshot after = meter.readTimes();
      double compilers = after.compilersShareSince(before);
      before = after;
      progress.say(
          "%s warms up: %.0f sagas/s after %d s, compilers %.0f %% of the processor time",
          name.label(), rate, elapsed.toSeconds(), 100 * compilers);
      boolean hasSettled = settling.hasSettledAt(rate, compilers);
      if (elapsed.compareTo(plan.warmUpAtMost()) >= 0
          || hasSettled && elapsed.compareTo(plan.warmUpAtLeast()) >= 0) {
        return;
      }
    }
  }

  private Duration slice() {
    return Settling.SLICE.compareTo(plan.warmUpAtMost()) < 0 ? Settling.SLICE : plan.warmUpAtMost();
  }

  private Map<Integer, List<Measurement>> rounds(PeerName name, Peer peer)
      throws IOException, SQLException, InterruptedException {
    CostMeter meter = peer.meter();
    Map<Integer, List<Measurement>> runs = new TreeMap<>();
    for (int round = 1; round <= plan.rounds(); round++) {
      for (int clients : plan.clients()) {
        Measurement measured = measure(peer, meter, clients);
        runs.computeIfAbsent(clients, ignored -> new ArrayList<>()).add(measured);
        progress.say(
            "%s, round %d, %d clients: %.0f sagas/s",
            name.label(), round, clients, measured.run().sagasPerSecond());
      }
    }
    return runs;
  }

  private Measurement measure(Peer peer, CostMeter meter, int clients)
      throws IOException, SQLException, InterruptedException {
    Snapshot before = meter.start();
    Duration cpuBefore = Machine.cpuOfThisProcess();
    PeerRun run = peer.run(clients, plan.length(), OrderMix.ONE_IN_TEN_REFUSED);
    Duration cpu = Machine.cpuOfThisProcess().minus(cpuBefore);
    long sagas = Math.max(1, run.sagas());
    SagaCost cost = meter.since(before, sagas);
    return new Measurement(run, cost, cpu.toNanos() / 1e6 / sagas);
  }
}
