package io.onceflow.benchmarks.peers.temporal;

import io.onceflow.benchmarks.peers.Ending;
import io.onceflow.benchmarks.peers.PeerOrder;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** The workflow that clients start. */
@WorkflowInterface
public interface PlaceOrder {

  /** Runs the saga of an order. */
  @WorkflowMethod
  Ending run(PeerOrder order);
}
