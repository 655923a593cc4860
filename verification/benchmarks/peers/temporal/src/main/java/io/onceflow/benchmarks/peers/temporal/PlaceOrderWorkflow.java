package io.onceflow.benchmarks.peers.temporal;

import io.onceflow.benchmarks.peers.Ending;
import io.onceflow.benchmarks.peers.PeerOrder;
import io.onceflow.benchmarks.peers.SimulatedServices;
import io.temporal.activity.ActivityOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/** An activity for each step. */
public final class PlaceOrderWorkflow implements PlaceOrder {

  private final OrderActivities activities =
      Workflow.newActivityStub(
          OrderActivities.class,
          ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofSeconds(10)).build());

  @Override
  public Ending run(PeerOrder order) {
    activities.charge(order);
    if (activities.book(order).equals(SimulatedServices.REFUSED)) {
      activities.refund(order);
      return activities.cancel(order);
    }
    return activities.confirm(order);
  }
}
