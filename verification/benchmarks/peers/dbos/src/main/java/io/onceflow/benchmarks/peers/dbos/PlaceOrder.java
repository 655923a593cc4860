package io.onceflow.benchmarks.peers.dbos;

import io.onceflow.benchmarks.peers.Ending;
import io.onceflow.benchmarks.peers.PeerOrder;
import java.sql.SQLException;

/** What the runtime makes a proxy of. */
public interface PlaceOrder {

  /** Runs the saga of an order. */
  Ending run(PeerOrder order) throws SQLException;
}
