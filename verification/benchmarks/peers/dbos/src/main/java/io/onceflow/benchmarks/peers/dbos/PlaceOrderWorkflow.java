package io.onceflow.benchmarks.peers.dbos;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.workflow.Workflow;
import io.onceflow.benchmarks.peers.Ending;
import io.onceflow.benchmarks.peers.PeerOrder;
import io.onceflow.benchmarks.peers.SimulatedServices;
import java.sql.SQLException;

/** A durable workflow, each of whose steps is stored when it is done. */
final class PlaceOrderWorkflow implements PlaceOrder {

  private final DBOS dbos;
  private final SimulatedServices services;
  private final OrderRows rows;

  PlaceOrderWorkflow(DBOS dbos, SimulatedServices services, OrderRows rows) {
    this.dbos = dbos;
    this.services = services;
    this.rows = rows;
  }

  @Override
  @Workflow(name = "place-order")
  public Ending run(PeerOrder order) throws SQLException {
    dbos.runStep(() -> charge(order), "process-payment");
    String tracking = dbos.runStep(() -> book(order), "arrange-shipment");
    if (tracking.equals(SimulatedServices.REFUSED)) {
      dbos.runStep(() -> refund(order), "refund-payment");
      return dbos.runStep(() -> end(order, services.cancel(order)), "cancel-order");
    }
    return dbos.runStep(() -> end(order, services.confirm(order)), "confirm-order");
  }

  private String charge(PeerOrder order) throws SQLException {
    String reference = services.charge(order);
    rows.charged(order);
    return reference;
  }

  private String refund(PeerOrder order) throws SQLException {
    String reference = services.refund(order);
    rows.refunded(order);
    return reference;
  }

  private String book(PeerOrder order) throws SQLException {
    String tracking = services.book(order);
    if (!tracking.equals(SimulatedServices.REFUSED)) {
      rows.booked(order);
    }
    return tracking;
  }

  private Ending end(PeerOrder order, Ending ending) throws SQLException {
    rows.ended(order, ending.name());
    return ending;
  }
}
