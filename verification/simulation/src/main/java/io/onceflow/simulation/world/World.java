package io.onceflow.simulation.world;

import io.onceflow.order.saga.OrderKind;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.internal.CompositeRepository;
import io.onceflow.participant.internal.HandlerMethods;
import io.onceflow.payment.Payments;
import io.onceflow.payment.domain.Payment;
import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.shipping.Shipments;
import io.onceflow.shipping.domain.Shipment;
import io.onceflow.simulation.Coverage;
import io.onceflow.simulation.Defaults;
import io.onceflow.simulation.Rule;
import io.onceflow.simulation.Violation;
import io.onceflow.simulation.broker.Broker;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.Node;
import io.onceflow.simulation.kernel.RunTrace;
import io.onceflow.simulation.kernel.SeededRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One run: three services and the simulated systems around them, from the first order to the end of
 * the last.
 */
public final class World {

  /** Longer than the age of the oldest repeated message, shorter than the inbox's retention. */
  private static final Duration LONGEST = Duration.ofDays(20);

  /** More events than any run needs to end. */
  private static final long MOST_EVENTS = 400_000;

  /** No message says when a payment or a shipment was made. */
  private static final Clock NO_TIME = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

  private final Kernel kernel;
  private final SeededRandom chance;
  private final FaultPlan storm;
  private final Invariants invariants;
  private final Broker broker;
  private final OrderService orders;
  private final List<SimulatedService> services;
  private final ExternalCalls gatewayLine;
  private final ExternalCalls carrierLine;
  private final GatewayBooks gateway;
  private final CarrierBooks carrier;
  private final SimulatedWorkload workload;
  private final @Nullable SimulatedSignals signals;

  /**
   * @param seed decides everything, also the {@linkplain OrderKind kind} of sagas
   * @param without the rule that is taken out; null for none
   */
  public World(long seed, @Nullable Rule without, RunTrace trace) {
    this.kernel = new Kernel(trace);
    this.chance = new SeededRandom(seed + 1);
    this.storm = new FaultPlan(kernel, chance.split(), chance.of(0.1) ? 0 : 1);
    this.invariants = new Invariants(kernel);
    OrderKind kind = OrderKind.of(seed);
    invariants.limitedBy(kind.limits());
    this.broker = new Broker(kernel, storm);
    SimulatedService.Environment environment =
        new SimulatedService.Environment(
            kernel, chance.split(), storm, broker, invariants, new RuleMutation(without));
    this.gatewayLine = new ExternalCalls(kernel, storm, "gateway");
    this.carrierLine = new ExternalCalls(kernel, storm, "carrier");
    this.gateway = new GatewayBooks(gatewayLine, invariants, kernel, chance.split());
    this.carrier = new CarrierBooks(carrierLine, invariants);
    this.orders = new OrderService(environment, kind);
    ParticipantService payments = payments(environment, gateway);
    gateway.tellTo(payments::tell);
    SimulatedService shipping = shipping(environment, carrier);
    this.services = List.of(orders, payments, shipping);
    this.workload =
        new SimulatedWorkload(kernel, chance.split(), broker, orders, invariants, trace);
    this.signals =
        kind.waits() ? new SimulatedSignals(kernel, chance.split(), workload, invariants) : null;
    invariants.lookAt(
        orders.sagas()::expiryOf,
        payments.inbox::doneAt,
        order -> orders.sagas().about(order) != null,
        order -> gateway.charges(order) - gateway.refunds(order),
        order -> carrier.bookings(order) - carrier.cancellations(order));
  }

  private static ParticipantService payments(
      SimulatedService.Environment environment, GatewayBooks gateway) {
    CompositeRepository rows =
        new CompositeRepository()
            .with(
                Payment.class,
                new MemoryParticipantRepository<>(
                    Payment::orderId,
                    Payment::id,
                    (payment, scope, step) -> payment.key().equals(new CallKey(scope, step))));
    Payments handlers = new Payments(gateway, NO_TIME);
    return new ParticipantService(
        environment, "payment", HandlerMethods.of(rows, Defaults.JSON, handlers));
  }

  private static SimulatedService shipping(
      SimulatedService.Environment environment, CarrierBooks carrier) {
    CompositeRepository rows =
        new CompositeRepository()
            .with(
                Shipment.class,
                new MemoryParticipantRepository<>(
                    Shipment::subject,
                    Shipment::id,
                    (shipment, scope, step) -> shipment.key().equals(new CallKey(scope, step))));
    Shipments handlers = new Shipments(carrier, NO_TIME);
    return new ParticipantService(
        environment, "shipping", HandlerMethods.of(rows, Defaults.JSON, handlers));
  }

  /**
   * Runs to the end.
   *
   * @return the first broken invariant; null if all held
   */
  public @Nullable Violation run() {
    for (SimulatedService service : services) {
      int replicas = chance.of(0.4) ? 2 : 1;
      for (int i = 1; i <= replicas; i++) {
        service.addNode(name(service, i), wrongness());
      }
      service.nodes().forEach(Node::start);
    }
    workload.begin();
    if (signals != null) {
      signals.begin();
    }
    new Outages(kernel, chance.split(), broker, services, gatewayLine, carrierLine).plan(storm);
    boolean quiet = kernel.runUntil(LONGEST.toNanos(), MOST_EVENTS);
    if (invariants.violation() == null) {
      invariants.check(quiet, "the world comes to rest", kernel.planned() + " events, and more");
      new FinalInvariants(invariants, orders, services, gateway, carrier).of(workload);
      if (signals != null) {
        signals.checkAgainst(orders.sagas());
      }
    }
    return invariants.violation();
  }

  private static String name(SimulatedService service, int replica) {
    return Objects.toString(service.database).replace("-db", "-" + replica);
  }

  private Duration wrongness() {
    return chance.of(0.7) ? Duration.ZERO : Duration.ofMillis(chance.below(4000) - 2000);
  }

  /** The situations that were reached, and every word of the sagas' histories. */
  public Set<String> reached() {
    Set<String> reached = new TreeSet<>();
    kernel.reached().forEach(each -> reached.add(each.name()));
    orders
        .sagas()
        .rows()
        .forEach(saga -> saga.history().forEach(entry -> reached.add(entry.event().word())));
    if (services.stream().anyMatch(service -> !service.parking.parked().isEmpty())) {
      reached.add(Coverage.PARKED.name());
    }
    if (workload.customers().stream()
        .anyMatch(customer -> customer.told.filter(CancelOutcome.TOO_LATE::equals).isPresent())) {
      reached.add(Coverage.TOO_LATE.name());
    }
    return reached;
  }

  /** How many events there were. */
  public long events() {
    return kernel.planned();
  }
}
