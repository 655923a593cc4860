package io.onceflow.benchmarks.peers.dbos;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.workflow.Workflow;
import io.onceflow.benchmarks.peers.Ending;
import io.onceflow.benchmarks.peers.PeerOrder;
import io.onceflow.benchmarks.peers.SimulatedServices;

/** A durable workflow, each of whose steps is stored when it is done. */
final class PlaceOrderWorkflow implements PlaceOrder {

  private final DBOS dbos;
  private final SimulatedServices services;

  PlaceOrderWorkflow(DBOS dbos, SimulatedServices services) {
    this.dbos = dbos;
    this.services = services;
  }

  @Override
  @Workflow(name = "place-order")
  public Ending run(PeerOrder order) {
    dbos.runStep(() -> services.charge(order), "process-payment");
    String tracking = dbos.runStep(() -> services.book(order), "arrange-shipment");
    if (tracking.equals(SimulatedServices.REFUSED)) {
      dbos.runStep(() -> services.refund(order), "refund-payment");
      return dbos.runStep(() -> services.cancel(order), "cancel-order");
    }
    return dbos.runStep(() -> services.confirm(order), "confirm-order");
  }
}
