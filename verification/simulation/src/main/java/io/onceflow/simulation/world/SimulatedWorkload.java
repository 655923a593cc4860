package io.onceflow.simulation.world;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.order.domain.Address;
import io.onceflow.order.domain.Item;
import io.onceflow.order.domain.Order;
import io.onceflow.order.saga.SimulatedOrders;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.simulation.broker.Broker;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.Node;
import io.onceflow.simulation.kernel.RunTrace;
import io.onceflow.simulation.kernel.SeededRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Customers who order and cancel, operators, and people who publish messages by hand. */
final class SimulatedWorkload {

  /** An orchestrator that its customers give the same keys, and that numbers orders alike. */
  static final String OTHER_ORIGIN = "other-shop/place-order";

  private static final String MALFORMED = "malformed";

  private final Kernel kernel;
  private final SeededRandom chance;
  private final Broker broker;
  private final OrderService service;
  private final Invariants invariants;
  private final List<Customer> customers = new ArrayList<>();
  private final List<OutboxMessage> malformed = new ArrayList<>();

  /** An order and what its customer has been told. */
  static final class Customer {

    final UUID sagaId;
    final Order order;
    final String key;
    boolean placed;
    boolean byHand;
    boolean asksToCancel;
    Optional<CancelOutcome> told = Optional.empty();

    private Customer(UUID sagaId, Order order, String key) {
      this.sagaId = sagaId;
      this.order = order;
      this.key = key;
    }
  }

  SimulatedWorkload(
      Kernel kernel,
      SeededRandom chance,
      Broker broker,
      OrderService service,
      Invariants invariants,
      RunTrace trace) {
    this.invariants = invariants;
    this.kernel = kernel;
    this.chance = chance;
    this.broker = broker;
    this.service = service;
    double many = chance.share();
    int orders = many < 0.7 ? 1 : many < 0.93 ? 2 : 3;
    for (int i = 1; i <= orders; i++) {
      customers.add(customer(i, trace));
    }
  }

  private Customer customer(int number, RunTrace trace) {
    UUID saga = id();
    UUID order = id();
    trace.name(saga, "saga-" + number);
    trace.name(order, "order-" + number);
    String name = number > 1 && chance.of(0.4) ? "grace-" + number : "ada";
    Customer customer =
        new Customer(saga, order(order, name), "key-" + (name.equals("ada") ? number : 1));
    return customer;
  }

  private UUID id() {
    long time = kernel.instant().toEpochMilli() << 16;
    return new UUID(time | 0x7000L | chance.below(4096), Long.MIN_VALUE | chance.below(1L << 62));
  }

  /** Two customers may have chosen the same key; it must not affect either of them. */
  private Order order(UUID id, String customer) {
    return Order.placed(
        id,
        customer,
        "EUR",
        List.of(new Item("BOOK-42", 1 + chance.below(3), 1250)),
        paymentMethod(),
        new Address(
            "Ada Lovelace",
            "12 St James's Square",
            "London",
            "SW1Y 4JH",
            chance.of(0.15) ? CarrierBooks.NOT_SERVED : "GB"),
        kernel.instant());
  }

  private String paymentMethod() {
    if (chance.of(0.08)) {
      return GatewayBooks.DECLINED;
    }
    return chance.of(0.3) ? GatewayBooks.SETTLED_LATER : "pm_card_visa";
  }

  List<Customer> customers() {
    return customers;
  }

  /** Messages that no service can handle. */
  List<OutboxMessage> malformed() {
    return malformed;
  }

  /** Plans what they do. */
  void begin() {
    for (Customer customer : customers) {
      long at = chance.below(Duration.ofSeconds(3).toNanos());
      kernel.after(at, () -> place(customer));
      if (chance.of(0.4)) {
        kernel.after(at + soon(), () -> cancel(customer));
      }
      if (chance.of(0.08)) {
        customer.byHand = true;
        invariants.meddledWith(customer.order.id());
        kernel.after(chance.below(at + 1), () -> publishByHand(customer));
      }
      if (chance.of(0.08)) {
        kernel.after(at + soon(), () -> ask(customer));
      }
      if (chance.of(0.2)) {
        kernel.after(at + soon(), () -> undo(customer, OTHER_ORIGIN));
      }
    }
    if (chance.of(0.08)) {
      kernel.after(soon(), this::publishNonsense);
    }
  }

  /** Mostly within the seconds with the most events. */
  private long soon() {
    return chance.below(Duration.ofSeconds(chance.of(0.7) ? 2 : 120).toNanos());
  }

  private void place(Customer customer) {
    if (!customer.placed) {
      request(
          "POST /orders",
          (orders, work) -> {
            work.call(
                tx -> {
                  orders.place(tx, customer.sagaId, customer.order, customer.key);
                  return null;
                });
            customer.placed = true;
          });
      kernel.after(retry(), () -> place(customer));
    }
  }

  private void cancel(Customer customer) {
    customer.asksToCancel = true;
    if (customer.told.isEmpty()) {
      request(
          "POST cancellation",
          (orders, work) -> {
            Optional<CancelOutcome> told = work.call(tx -> orders.cancel(tx, customer.order.id()));
            told.ifPresent(
                outcome -> {
                  kernel.tell("customer", () -> "is told " + outcome);
                  customer.told = told;
                });
          });
      kernel.after(retry(), () -> cancel(customer));
    }
  }

  private void ask(Customer customer) {
    SagaEvent.Request request =
        chance.of(0.5)
            ? new SagaEvent.Compensate("operator", "because")
            : new SagaEvent.Retry("operator", null);
    request(
        request.getClass().getSimpleName(),
        (orders, work) ->
            work.call(
                tx -> {
                  orders.request(tx, customer.sagaId, request);
                  return null;
                }));
  }

  private long retry() {
    return chance.between(Duration.ofSeconds(2), Duration.ofSeconds(10));
  }

  /** Code that a process runs for a request. */
  @FunctionalInterface
  interface Request {

    void make(SimulatedOrders orders, UnitOfWork work) throws SQLException;
  }

  /** Has some process of the service do it; it may die meanwhile. */
  void request(String what, Request request) {
    Optional<Node> some = service.anyNode();
    some.ifPresent(
        node ->
            kernel.spawn(
                node,
                what,
                () -> {
                  kernel.tell(node.toString(), () -> what);
                  OrderService.Api api = service.api(node);
                  try {
                    request.make(api.orders(), api.unitOfWork());
                  } catch (SQLException e) {
                    kernel.tell(node.toString(), () -> what + " fails: " + e.getMessage());
                  }
                }));
  }

  private void publishByHand(Customer customer) {
    undo(customer, SimulatedOrders.ORIGIN);
  }

  /**
   * Another orchestrator compensates a saga with the same key; this must not affect the saga here.
   */
  private void undo(Customer customer, String origin) {
    boolean payment = chance.of(0.6);
    broker.take(
        message(
            payment ? "RefundPayment" : "CancelShipment",
            payment ? "payment.refund" : "shipping.cancel",
            customer.key,
            customer.order.customer(),
            origin,
            "{\"orderId\":\"" + customer.order.id() + "\"}"));
  }

  private void publishNonsense() {
    OutboxMessage nonsense =
        message("ProcessPayment", "payment.process", "x", "ada", OTHER_ORIGIN, MALFORMED);
    malformed.add(nonsense);
    broker.take(nonsense);
  }

  private static OutboxMessage message(
      String type, String route, String key, String scope, String origin, String payload) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "order",
        "by-hand",
        type,
        payload,
        OutboxMessage.COMMANDS,
        route,
        null,
        null,
        Map.of(
            MessageHeaders.IDEMPOTENCY_KEY,
            key,
            MessageHeaders.IDEMPOTENCY_SCOPE,
            scope,
            MessageHeaders.SAGA_ORIGIN,
            origin));
  }

  /** Whether a message is one that a service could handle. */
  static boolean isWellFormed(Delivery delivery) {
    return delivery.body().length != MALFORMED.length();
  }
}
