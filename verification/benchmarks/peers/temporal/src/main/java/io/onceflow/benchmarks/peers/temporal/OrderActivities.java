package io.onceflow.benchmarks.peers.temporal;

import io.onceflow.benchmarks.peers.Ending;
import io.onceflow.benchmarks.peers.PeerOrder;
import io.temporal.activity.ActivityInterface;

/** The steps; the simulated services are behind them. */
@ActivityInterface
public interface OrderActivities {

  String charge(PeerOrder order);

  String refund(PeerOrder order);

  String book(PeerOrder order);

  Ending confirm(PeerOrder order);

  Ending cancel(PeerOrder order);
}
