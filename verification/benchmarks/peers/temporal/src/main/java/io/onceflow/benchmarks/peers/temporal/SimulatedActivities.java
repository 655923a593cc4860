package io.onceflow.benchmarks.peers.temporal;

import io.onceflow.benchmarks.peers.Ending;
import io.onceflow.benchmarks.peers.PeerOrder;
import io.onceflow.benchmarks.peers.SimulatedServices;

/** Passes to the simulated services. */
final class SimulatedActivities implements OrderActivities {

  private final SimulatedServices services;

  SimulatedActivities(SimulatedServices services) {
    this.services = services;
  }

  @Override
  public String charge(PeerOrder order) {
    return services.charge(order);
  }

  @Override
  public String refund(PeerOrder order) {
    return services.refund(order);
  }

  @Override
  public String book(PeerOrder order) {
    return services.book(order);
  }

  @Override
  public Ending confirm(PeerOrder order) {
    return services.confirm(order);
  }

  @Override
  public Ending cancel(PeerOrder order) {
    return services.cancel(order);
  }
}
