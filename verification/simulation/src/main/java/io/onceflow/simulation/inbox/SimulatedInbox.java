package io.onceflow.simulation.inbox;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.InboxStore;
import io.onceflow.inbox.internal.call.CallBackoff;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.BatchItem;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.IdempotentReceiver;
import io.onceflow.inbox.internal.consumer.MessageReceiver;
import io.onceflow.inbox.internal.parking.Parking;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.inbox.internal.participant.ParticipantDependencies;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.participant.internal.HandlerMethods;
import io.onceflow.simulation.Defaults;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.Node;
import io.onceflow.simulation.kernel.SeededRandom;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The inbox of production, on tasks of the simulation and over tables in memory. */
public final class SimulatedInbox {

  private static final InboxConfig CONFIG = Defaults.config(InboxConfig.class);

  private final Kernel kernel;
  private final Node node;
  private final SeededRandom chance;
  private final InboxStore store;
  private final Parking parking;
  private final UnitOfWork unitOfWork;
  private final Map<BatchSettler, Arrivals<BatchItem>> arrivals = new IdentityHashMap<>();

  public SimulatedInbox(
      Kernel kernel,
      Node node,
      SeededRandom chance,
      InboxStore store,
      Parking parking,
      UnitOfWork unitOfWork) {
    this.kernel = kernel;
    this.node = node;
    this.chance = chance;
    this.store = store;
    this.parking = parking;
    this.unitOfWork = unitOfWork;
  }

  /** A participant of this process. */
  public Participant participant(HandlerMethods handlers) {
    Participant.Environment environment =
        new Participant.Environment(
            "participant",
            unitOfWork,
            parking,
            CONFIG,
            Defaults.JSON,
            node.clock(),
            Defaults.METRICS,
            () -> 0);
    ParticipantDependencies dependencies =
        ParticipantDependencies.of(
            environment,
            handlers,
            store,
            new CallBackoff(CONFIG.callOut(), chance::below),
            kernel::now);
    return new Participant(
        environment,
        dependencies,
        participant ->
            new VirtualCallExecutor(
                kernel, node, CONFIG, result -> arrivals(participant).accept(result)));
  }

  /** Lets each message take effect once. */
  public BatchSettler eachOnce(MessageReceiver receiver) {
    return new IdempotentReceiver(unitOfWork, store, parking, receiver);
  }

  /** Handles the messages that arrive; {@link BatchConsumer} decides when to acknowledge them. */
  public Consumer<Delivery> intake(BatchSettler settler) {
    return arrivals(settler)::accept;
  }

  /** A participant's results of calls are among them. */
  private Arrivals<BatchItem> arrivals(BatchSettler settler) {
    return arrivals.computeIfAbsent(
        settler,
        its -> {
          Arrivals<BatchItem> fresh =
              new Arrivals<>(
                  kernel, node, "inbox", CONFIG.batchSize(), new BatchConsumer.Settling(its));
          fresh.start();
          return fresh;
        });
  }

  /** As {@link #intake}, but acknowledges before it settles: what rule 2 forbids. */
  public Consumer<Delivery> hastyIntake(BatchSettler settler) {
    Consumer<Delivery> proper = intake(settler);
    return delivery -> {
      delivery.acknowledge().run();
      proper.accept(delivery);
    };
  }

  /** How long ended steps are remembered. */
  public static Duration retention() {
    return CONFIG.retention();
  }

  /** How often each process looks for steps without a lease. */
  public static Duration recoveryInterval() {
    return CONFIG.recoveryInterval();
  }
}
