package io.onceflow.simulation.world;

import io.onceflow.order.domain.Order;
import io.onceflow.order.domain.OrderStatus;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.simulation.inbox.MemoryParking.Parked;
import io.onceflow.simulation.world.SimulatedWorkload.Customer;
import java.util.List;
import java.util.UUID;

/** What must hold when all is over. */
final class FinalInvariants {

  private final Invariants invariants;
  private final OrderService orders;
  private final List<SimulatedService> services;
  private final GatewayBooks gateway;
  private final CarrierBooks carrier;

  FinalInvariants(
      Invariants invariants,
      OrderService orders,
      List<SimulatedService> services,
      GatewayBooks gateway,
      CarrierBooks carrier) {
    this.invariants = invariants;
    this.orders = orders;
    this.services = services;
    this.gateway = gateway;
    this.carrier = carrier;
  }

  void of(SimulatedWorkload workload) {
    workload.customers().forEach(this::of);
    orders.sagas().rows().forEach(this::endsAsItsParent);
    for (SimulatedService service : services) {
      invariants.check(
          service.inbox.running().isEmpty(),
          "every step ends",
          service.database + " still runs " + service.inbox.running());
      for (Parked parked : service.parking.parked()) {
        invariants.check(
            workload.malformed().stream()
                .map(OutboxMessage::id)
                .anyMatch(id -> id.toString().equals(parked.delivery().messageId())),
            "nothing is parked without need",
            parked.delivery() + ": " + parked.reason());
      }
    }
  }

  /** A saga that another has started ends as that. */
  private void endsAsItsParent(MemorySagas.Row saga) {
    UUID parent = orders.sagas().children().parentOf(saga.id());
    orders.sagas().rows().stream()
        .filter(row -> row.id().equals(parent))
        .forEach(
            row ->
                invariants.check(
                    row.state().status() == saga.state().status(),
                    "a child is undone with its parent",
                    "%s is %s, and its parent %s"
                        .formatted(saga.id(), saga.state().status(), row.state().status())));
  }

  private void of(Customer customer) {
    UUID id = customer.order.id();
    Order order = orders.orders().row(id);
    MemorySagas.Row saga = orders.sagas().about(id);
    invariants.check(
        order != null && saga != null, "every order is placed", id + " is not, nor its saga");
    if (order == null || saga == null) {
      return;
    }
    SagaStatus status = saga.state().status();
    invariants.check(
        status.isEnd(),
        "every saga ends",
        "the saga of %s is %s, %s".formatted(id, status, saga.state().steps()));
    agree(saga, order);
    if (order.status() == OrderStatus.CONFIRMED) {
      confirmed(customer, id);
    } else {
      cancelled(id);
    }
    toldTheTruth(customer, order);
  }

  private void agree(MemorySagas.Row saga, Order order) {
    String invariant = "history, saga and order agree";
    SagaStatus status = saga.state().status();
    OrderStatus expected =
        status == SagaStatus.COMPLETED ? OrderStatus.CONFIRMED : OrderStatus.CANCELLED;
    invariants.check(
        order.status() == expected, invariant, "saga " + status + ", order " + order.status());
    HistoryEvent end =
        status == SagaStatus.COMPLETED
            ? HistoryEvent.SAGA_COMPLETED
            : HistoryEvent.SAGA_COMPENSATED;
    long ends = saga.history().stream().filter(entry -> entry.event() == end).count();
    invariants.check(ends == 1, invariant, status + ", and its history tells of " + ends + " ends");
  }

  private void confirmed(Customer customer, UUID id) {
    if (!customer.byHand) {
      invariants.check(
          gateway.charges(id) == 1 && gateway.refunds(id) == 0,
          "a confirmed order is paid",
          "%s: %d charges, %d refunds".formatted(id, gateway.charges(id), gateway.refunds(id)));
      invariants.check(
          carrier.bookings(id) == 1 && carrier.cancellations(id) == 0,
          "a confirmed order is shipped",
          "%s: %d bookings, %d cancellations"
              .formatted(id, carrier.bookings(id), carrier.cancellations(id)));
    }
  }

  private void cancelled(UUID id) {
    invariants.check(
        gateway.charges(id) == gateway.refunds(id),
        "every charge of a cancelled order is refunded once",
        "%s: %d charges, %d refunds".formatted(id, gateway.charges(id), gateway.refunds(id)));
    invariants.check(
        carrier.bookings(id) == carrier.cancellations(id),
        "no cancelled order has a shipment",
        "%s: %d bookings, %d cancellations"
            .formatted(id, carrier.bookings(id), carrier.cancellations(id)));
  }

  private void toldTheTruth(Customer customer, Order order) {
    customer.told.ifPresent(
        told ->
            invariants.check(
                (told == CancelOutcome.TOO_LATE) == (order.status() == OrderStatus.CONFIRMED),
                "the cancellation response matches the final state",
                "told " + told + ", and the order is " + order.status()));
  }
}
