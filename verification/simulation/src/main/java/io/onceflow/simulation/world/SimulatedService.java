package io.onceflow.simulation.world;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.simulation.broker.Broker;
import io.onceflow.simulation.broker.Queue;
import io.onceflow.simulation.database.Database;
import io.onceflow.simulation.inbox.MemoryInbox;
import io.onceflow.simulation.inbox.MemoryParking;
import io.onceflow.simulation.inbox.SimulatedInbox;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.Node;
import io.onceflow.simulation.kernel.SeededRandom;
import io.onceflow.simulation.outbox.MemoryOutbox;
import io.onceflow.simulation.outbox.SimulatedOutbox;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A service: its database, its queue and its processes. */
abstract class SimulatedService {

  final Kernel kernel;
  final SeededRandom chance;
  final Database database;
  final MemoryInbox inbox;
  final MemoryOutbox outbox;
  final MemoryParking parking;
  final Queue queue;
  private final Environment environment;
  private final List<Node> nodes = new ArrayList<>();

  /** What services stand on. */
  record Environment(
      Kernel kernel,
      SeededRandom chance,
      FaultPlan storm,
      Broker broker,
      Invariants invariants,
      RuleMutation honesty) {}

  SimulatedService(Environment environment, String name, String queue) {
    this.environment = environment;
    this.kernel = environment.kernel();
    this.chance = environment.chance();
    this.database = new Database(kernel, name + "-db", environment.storm());
    this.inbox = environment.honesty().inbox(database, environment.invariants());
    this.outbox = environment.honesty().outbox(database, this::deleted);
    this.parking = environment.honesty().parking();
    this.queue = environment.broker().queue(queue);
    this.queue.watch(() -> chance.below(1 << 16), this::acknowledged);
  }

  /** Whether what has been committed says the outcome of a message that was not parked. */
  abstract boolean isKnown(Delivery delivery);

  /** Whether a message asks for what has ended, as committed. */
  boolean isRepeated(Delivery delivery) {
    return false;
  }

  /** Starts what a process of this service does beside relaying. */
  abstract void boot(Node node, SimulatedInbox inbox, UnitOfWork unitOfWork);

  /** Adds a process; it is not up yet. */
  void addNode(String name, Duration clockIsAhead) {
    Node[] self = new Node[1];
    self[0] = new Node(kernel, name, clockIsAhead, () -> boot(self[0]));
    nodes.add(self[0]);
  }

  List<Node> nodes() {
    return nodes;
  }

  private void boot(Node node) {
    SimulatedOutbox own = new SimulatedOutbox(() -> database.connect(node), outbox);
    UnitOfWork unitOfWork = own.unitOfWork();
    boot(node, new SimulatedInbox(kernel, node, chance, inbox, parking, unitOfWork), unitOfWork);
    SimulatedOutbox.Turn relay =
        own.relay(environment.honesty().publisher(environment.broker(), environment.storm()));
    poll(node, "relay", SimulatedOutbox.pollInterval(), outbox::firstDue, relay::take);
    Duration retention = environment.honesty().retention();
    poll(
        node,
        "cleanup",
        Duration.ofSeconds(5),
        () -> inbox.firstExpired(retention),
        () ->
            unitOfWork.call(
                tx -> {
                  inbox.deleteExpired(tx.connection(), retention);
                  return null;
                }));
  }

  void poll(
      Node node,
      String name,
      Duration interval,
      Supplier<@Nullable Instant> due,
      Poller.Turn turn) {
    Poller.start(node, name, new Poller(kernel, chance, database, interval, due, turn));
  }

  /** Consumes from the service's queue. */
  void consume(Node node, Consumer<Delivery> intake) {
    Function<Delivery, Delivery> told =
        delivery -> environment.honesty().handed(delivery, isRepeated(delivery));
    queue.subscribe(node, delivery -> intake.accept(told.apply(delivery)));
  }

  RuleMutation honesty() {
    return environment.honesty();
  }

  private void acknowledged(Delivery delivery) {
    environment
        .invariants()
        .check(
            isKnown(delivery) || parking.isParked(delivery),
            "what is acknowledged is committed or parked",
            delivery + " was acknowledged and is nowhere");
  }

  private void deleted(UUID message) {
    environment
        .invariants()
        .check(
            environment.broker().hasTaken(message),
            "what leaves the outbox has been taken by the broker",
            "message " + message + " is nowhere");
  }
}
