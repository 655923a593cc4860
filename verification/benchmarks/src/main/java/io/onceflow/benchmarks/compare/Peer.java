package io.onceflow.benchmarks.compare;

import io.onceflow.benchmarks.cost.CostMeter;
import io.onceflow.benchmarks.peers.OrderMix;
import io.onceflow.benchmarks.peers.PeerRun;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A product that is up. */
interface Peer extends AutoCloseable {

  /**
   * Runs sagas, each client one at a time.
   *
   * @param length after which no client starts another saga
   */
  PeerRun run(int clients, Duration length, OrderMix mix)
      throws IOException, SQLException, InterruptedException;

  /** One client, all of whose orders are confirmed; it waits for the end of each saga. */
  default PeerRun alone(Duration length) throws IOException, SQLException, InterruptedException {
    return run(1, length, OrderMix.ALL_CONFIRMED);
  }

  /** Counts the processor time of its processes and what its database server writes. */
  CostMeter meter() throws SQLException;

  /** What was wrong in the runs so far, in words. */
  List<String> faults();

  /** What it ran on, by name. */
  default Map<String, String> machine() throws SQLException {
    return Map.of();
  }

  @Override
  void close();
}
