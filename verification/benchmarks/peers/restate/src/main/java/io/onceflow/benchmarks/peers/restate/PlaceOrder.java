package io.onceflow.benchmarks.peers.restate;

import dev.restate.sdk.Context;
import dev.restate.sdk.annotation.Handler;
import dev.restate.sdk.annotation.Service;
import io.onceflow.benchmarks.peers.Ending;
import io.onceflow.benchmarks.peers.PeerOrder;
import io.onceflow.benchmarks.peers.SimulatedServices;

/** A durable handler, each of whose steps is in the server's journal when it is done. */
@Service
public class PlaceOrder {

  private final SimulatedServices services;

  PlaceOrder(SimulatedServices services) {
    this.services = services;
  }

  /** Runs the saga of an order. */
  @Handler
  public Ending run(Context context, PeerOrder order) {
    context.run("process-payment", String.class, () -> services.charge(order));
    String tracking = context.run("arrange-shipment", String.class, () -> services.book(order));
    if (tracking.equals(SimulatedServices.REFUSED)) {
      context.run("refund-payment", String.class, () -> services.refund(order));
      return context.run("cancel-order", Ending.class, () -> services.cancel(order));
    }
    return context.run("confirm-order", Ending.class, () -> services.confirm(order));
  }
}
