package io.onceflow.simulation.world;

import io.onceflow.participant.internal.HandlerMethods;
import io.onceflow.participant.internal.RowKinds;
import io.onceflow.payment.Payments;
import io.onceflow.payment.domain.ChargeKey;
import io.onceflow.payment.domain.Payment;
import io.onceflow.saga.CancelOutcome;
import io.onceflow.shipping.Shipments;
import io.onceflow.shipping.domain.BookingKey;
import io.onceflow.shipping.domain.Shipment;
import io.onceflow.simulation.Defaults;
import io.onceflow.simulation.Reached;
import io.onceflow.simulation.Rule;
import io.onceflow.simulation.Violation;
import io.onceflow.simulation.broker.Broker;
import io.onceflow.simulation.kernel.Chance;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.Node;
import io.onceflow.simulation.kernel.Trace;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One run: three services and their surroundings, from the first order to the end of the last. */
public final class World {

  /** Longer than the oldest message that comes again, shorter than what is remembered. */
  private static final Duration LONGEST = Duration.ofDays(20);

  /** More events than any run needs in which things come to an end. */
  private static final long MOST_EVENTS = 400_000;

  /** No message says when a payment or a shipment was made. */
  private static final Clock NO_TIME = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

  private final Kernel kernel;
  private final Chance chance;
  private final Storm storm;
  private final Invariants invariants;
  private final Broker broker;
  private final OrderService orders;
  private final List<Service> services;
  private final Outside gatewayLine;
  private final Outside carrierLine;
  private final Gateway gateway;
  private final Parcels carrier;
  private final Workload workload;

  /**
   * @param seed decides everything
   * @param without the rule that is taken out; null for none
   */
  public World(long seed, @Nullable Rule without, Trace trace) {
    this.kernel = new Kernel(trace);
    this.chance = new Chance(seed + 1);
    this.storm = new Storm(kernel, chance.split(), chance.of(0.1) ? 0 : 1);
    this.invariants = new Invariants(kernel);
    this.broker = new Broker(kernel, storm);
    Service.Ground ground =
        new Service.Ground(kernel, chance.split(), storm, broker, invariants, new Honesty(without));
    this.gatewayLine = new Outside(kernel, storm, "gateway");
    this.carrierLine = new Outside(kernel, storm, "carrier");
    this.gateway = new Gateway(gatewayLine, invariants);
    this.carrier = new Parcels(carrierLine, invariants);
    this.orders = new OrderService(ground);
    Service payments = payments(ground, gateway);
    Service shipping = shipping(ground, carrier);
    this.services = List.of(orders, payments, shipping);
    this.workload = new Workload(kernel, chance.split(), broker, orders, invariants, trace);
    invariants.lookAt(
        orders.sagas()::expiryOf,
        order -> orders.sagas().about(order) != null,
        order -> gateway.charges(order) - gateway.refunds(order),
        order -> carrier.bookings(order) - carrier.cancellations(order));
  }

  private static Service payments(Service.Ground ground, Gateway gateway) {
    RowKinds rows =
        new RowKinds()
            .with(
                Payment.class,
                new MemoryRows<>(
                    Payment::orderId,
                    Payment::id,
                    (payment, scope, step) -> payment.key().equals(new ChargeKey(scope, step))));
    Payments handlers = new Payments(gateway, NO_TIME);
    return new ParticipantService<>(
        ground, "payment", rows, HandlerMethods.of(rows, Defaults.JSON, handlers));
  }

  private static Service shipping(Service.Ground ground, Parcels carrier) {
    RowKinds rows =
        new RowKinds()
            .with(
                Shipment.class,
                new MemoryRows<>(
                    Shipment::subject,
                    Shipment::id,
                    (shipment, scope, step) -> shipment.key().equals(new BookingKey(scope, step))));
    Shipments handlers = new Shipments(carrier, NO_TIME);
    return new ParticipantService<>(
        ground, "shipping", rows, HandlerMethods.of(rows, Defaults.JSON, handlers));
  }

  /**
   * Runs to the end.
   *
   * @return the first thing that did not hold; null when everything did
   */
  public @Nullable Violation run() {
    for (Service service : services) {
      int replicas = chance.of(0.4) ? 2 : 1;
      for (int i = 1; i <= replicas; i++) {
        service.addNode(name(service, i), wrongness());
      }
      service.nodes().forEach(Node::start);
    }
    workload.begin();
    new Calamities(kernel, chance.split(), broker, services, gatewayLine, carrierLine).plan(storm);
    boolean quiet = kernel.runUntil(LONGEST.toNanos(), MOST_EVENTS);
    if (invariants.violation() == null) {
      invariants.check(quiet, "the world comes to rest", kernel.planned() + " events, and more");
      new Reckoning(invariants, orders, services, gateway, carrier).of(workload);
    }
    return invariants.violation();
  }

  private static String name(Service service, int replica) {
    return Objects.toString(service.database).replace("-db", "-" + replica);
  }

  private Duration wrongness() {
    return chance.of(0.7) ? Duration.ZERO : Duration.ofMillis(chance.below(4000) - 2000);
  }

  /** What there was to see, and every word of the sagas' histories. */
  public Set<String> reached() {
    Set<String> reached = new TreeSet<>();
    kernel.reached().forEach(each -> reached.add(each.name()));
    orders
        .sagas()
        .rows()
        .forEach(saga -> saga.history().forEach(entry -> reached.add(entry.event().word())));
    if (services.stream().anyMatch(service -> !service.parking.parked().isEmpty())) {
      reached.add(Reached.PARKED.name());
    }
    if (workload.customers().stream()
        .anyMatch(customer -> customer.told.filter(CancelOutcome.TOO_LATE::equals).isPresent())) {
      reached.add(Reached.TOO_LATE.name());
    }
    return reached;
  }

  /** How many events there were. */
  public long events() {
    return kernel.planned();
  }
}
