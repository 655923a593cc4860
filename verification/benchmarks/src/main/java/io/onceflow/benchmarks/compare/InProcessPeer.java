package io.onceflow.benchmarks.compare;

import io.onceflow.benchmarks.cost.CostMeter;
import io.onceflow.benchmarks.peers.Effects;
import io.onceflow.benchmarks.peers.OrderMix;
import io.onceflow.benchmarks.peers.PeerRun;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A product whose sagas run in the JVM of its clients; it needs no servers. */
class InProcessPeer implements Peer {

  /** What the JVM is called in reports. */
  static final String JVM = "JVM with clients, saga and steps";

  private final PeerProcess process;
  private final List<String> faults = new ArrayList<>();

  InProcessPeer(PeerProcess process) {
    this.process = process;
  }

  @Override
  public PeerRun run(int clients, Duration length, OrderMix mix) throws IOException {
    Effects before = process.effects();
    PeerRun run = process.run(clients, length, mix);
    faults.addAll(process.effects().minus(before).faults(run));
    return run;
  }

  Map<String, List<Long>> pids() {
    Map<String, List<Long>> pids = new LinkedHashMap<>();
    pids.put(JVM, List.of(process.pid()));
    return pids;
  }

  @Override
  public CostMeter meter() throws SQLException {
    return CostMeter.ofProcesses(pids());
  }

  @Override
  public List<String> faults() {
    return List.copyOf(faults);
  }

  @Override
  public void close() {
    process.close();
  }
}
