package io.onceflow.simulation.world;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.inbox.internal.consumer.MessageReceiver.Reception;
import io.onceflow.inbox.internal.consumer.MessageReceiver.Verdict;
import io.onceflow.inbox.internal.consumer.ReceivedMessage;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.order.domain.Order;
import io.onceflow.order.saga.OrderKind;
import io.onceflow.order.saga.SimulatedOrders;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.saga.internal.engine.ReplyStanding;
import io.onceflow.simulation.Defaults;
import io.onceflow.simulation.database.Table;
import io.onceflow.simulation.inbox.SimulatedInbox;
import io.onceflow.simulation.kernel.Node;
import io.onceflow.simulation.saga.SimulatedReplies;
import io.onceflow.simulation.saga.SimulatedReply;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The order service: the saga of production, its engine, its replies and its timers. */
final class OrderService extends SimulatedService {

  /** As in the service's application.properties. */
  private static final Duration TIMER_INTERVAL = Duration.ofSeconds(1);

  private static final int BATCH = 200;

  private final MemorySagas sagas;
  private final Table<UUID, Order> orders = new Table<>();
  private final Table<UUID, Order> shipments = new Table<>();
  private final OrderKind kind;
  private final SimulatedReplies replies;
  private final Map<Node, Api> apis = new HashMap<>();

  /** The replies that have been delivered, as committed. */
  private final Set<SimulatedReply> known = new HashSet<>();

  /** The code with which a process of it answers requests. */
  record Api(SimulatedOrders orders, UnitOfWork unitOfWork) {}

  OrderService(Environment environment, OrderKind kind) {
    super(environment, "order", "order-service.replies");
    this.kind = kind;
    this.replies = new SimulatedReplies(Defaults.JSON, kind.definitions());
    this.sagas = environment.honesty().sagas(database, environment.invariants());
  }

  MemorySagas sagas() {
    return sagas;
  }

  Table<UUID, Order> orders() {
    return orders;
  }

  @Override
  boolean isKnown(Delivery delivery) {
    return SimulatedWorkload.isWellFormed(delivery)
        && known.contains(replies.read(InboundMessage.read(delivery)));
  }

  @Override
  void boot(Node node, SimulatedInbox simulated, UnitOfWork unitOfWork) {
    SimulatedOrders own =
        new SimulatedOrders(
            kind, sagas, orders, shipments, Defaults.JSON, node.clock(), honesty()::recorded);
    apis.put(node, new Api(own, unitOfWork));
    consume(
        node,
        honesty().intake(simulated, simulated.eachOnce((tx, batch) -> deliver(own, tx, batch))));
    poll(
        node,
        "timers",
        TIMER_INTERVAL,
        () -> sagas.firstDue(SimulatedOrders.definition()),
        () -> unitOfWork.call(tx -> fireDue(own, tx)));
    if (kind == OrderKind.PARENTS) {
      poll(
          node,
          "timers of shipments",
          TIMER_INTERVAL,
          () -> sagas.firstDue(SimulatedOrders.definitionOfShipments()),
          () -> unitOfWork.call(tx -> own.fireDueShipments(tx, BATCH)));
    }
  }

  private int fireDue(SimulatedOrders own, Transaction tx) throws SQLException {
    honesty().beforeTimers(own, tx, sagas, database.now());
    return own.fireDue(tx, BATCH);
  }

  private Reception deliver(SimulatedOrders own, Transaction tx, List<ReceivedMessage> batch)
      throws SQLException {
    Verdict[] verdicts = new Verdict[batch.size()];
    Map<Integer, SimulatedReply> readable = new LinkedHashMap<>();
    for (int i = 0; i < verdicts.length; i++) {
      try {
        readable.put(i, replies.read(batch.get(i).message()));
      } catch (UnprocessableMessage why) {
        verdicts[i] = new Verdict.Park(why);
      }
    }
    List<SimulatedReply> delivered = List.copyOf(readable.values());
    honesty().beforeReplies(sagas, delivered);
    tx.afterCommit(() -> known.addAll(delivered));
    Iterator<Optional<ReplyStanding>> standings = own.deliver(tx, delivered).iterator();
    readable.keySet().forEach(i -> verdicts[i] = verdict(standings.next()));
    return new Decided(List.of(verdicts));
  }

  private static Verdict verdict(Optional<ReplyStanding> standing) {
    return standing
        .map(
            known ->
                switch (known) {
                  case NEW, UNASKED -> new Verdict.Handled();
                  case REPEATED -> new Verdict.Repeated();
                  case CONTRADICTS ->
                      new Verdict.Park(
                          new UnprocessableMessage(
                              ParkingReason.FINGERPRINT_MISMATCH, "the first answer stays"));
                })
        .orElseGet(
            () ->
                new Verdict.Park(
                    new UnprocessableMessage(ParkingReason.UNKNOWN_SAGA, "it is not known")));
  }

  /** What has been written with the verdicts. */
  private record Decided(List<Verdict> verdicts) implements Reception {

    @Override
    public void apply(List<ReceivedMessage> fresh) {}
  }

  /** Some process of it that is up, if there is one. */
  Optional<Node> anyNode() {
    List<Node> up = nodes().stream().filter(Node::isUp).toList();
    return up.isEmpty() ? Optional.empty() : Optional.of(up.get(chance.below(up.size())));
  }

  Api api(Node node) {
    return apis.get(node);
  }
}
