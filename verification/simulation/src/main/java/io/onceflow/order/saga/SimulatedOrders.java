package io.onceflow.order.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.core.IdempotencyKey;
import io.onceflow.order.domain.Order;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaRepository;
import io.onceflow.saga.Sagas.SagaStart;
import io.onceflow.saga.internal.RetryPolicy;
import io.onceflow.saga.internal.engine.ReplyStanding;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SignalStanding;
import io.onceflow.saga.internal.messaging.RecordReply;
import io.onceflow.saga.internal.runtime.SagaMessages;
import io.onceflow.saga.internal.runtime.SagaRunner;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.LockedSaga;
import io.onceflow.saga.internal.store.SagaStore;
import io.onceflow.saga.internal.store.StoredSaga;
import io.onceflow.saga.internal.store.version.Versions;
import io.onceflow.simulation.database.SimulatedTransaction;
import io.onceflow.simulation.database.Table;
import io.onceflow.simulation.saga.SimulatedReply;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The order saga of production with its engine, over tables in memory; behaves like {@link
 * OrderSagas}.
 */
public final class SimulatedOrders {

  /** The origin of its sagas. */
  public static final String ORIGIN = "order-service/place-order";

  private final SagaStore store;
  private final SagaRunner<PlaceOrder> sagas;
  private final SagaRunner<PlaceOrder> shipping;
  private final Clock clock;
  private final Function<OutboxMessage, OutboxMessage> forger;

  /**
   * @param shipments what the sagas that others have started are about
   * @param forger changes each command before it is recorded; changes nothing in a run with all
   *     rules
   */
  public SimulatedOrders(
      OrderKind kind,
      SagaStore store,
      Table<UUID, Order> orders,
      Table<UUID, Order> shipments,
      ObjectMapper json,
      Clock clock,
      Function<OutboxMessage, OutboxMessage> forger) {
    this.store = store;
    this.clock = clock;
    this.forger = forger;
    this.sagas = runner(PlaceOrderSaga.class, kind.definition(), orders, json);
    this.shipping =
        runner(ShippingOrders.Shipping.class, ShippingOrders.Shipping.DEFINITION, shipments, json);
    SagaRunners.connect(List.of(sagas, shipping));
  }

  private SagaRunner<PlaceOrder> runner(
      Class<?> saga,
      SagaDefinition<PlaceOrder> definition,
      Table<UUID, Order> subjects,
      ObjectMapper json) {
    return new SagaRunner<>(
        saga,
        Versions.of(List.of(definition), RetryPolicy.DEFAULT, null),
        new InMemory(subjects, json),
        store,
        new SagaMessages(json, "order-service"),
        clock,
        written -> {});
  }

  /** The definition's name. */
  public static String definition() {
    return PlaceOrderSaga.DEFINITION.name();
  }

  /** That of the sagas that others have started. */
  public static String definitionOfShipments() {
    return ShippingOrders.Shipping.DEFINITION.name();
  }

  /** Records an order and starts its saga; does nothing when that has been done. */
  public void place(Transaction tx, UUID sagaId, Order order, String rootKey) throws SQLException {
    if (store.findBySubject(tx.connection(), definition(), order.id()).isPresent()) {
      return;
    }
    SagaStart<PlaceOrder> start =
        new SagaStart<>(PlaceOrder.of(order), order.customer(), new IdempotencyKey(rootKey), null);
    sagas.start(forged(tx), List.of(start), List.of(sagaId));
  }

  /**
   * Delivers replies.
   *
   * @return what each was to its saga; empty where there is none
   */
  public List<Optional<ReplyStanding>> deliver(Transaction tx, List<SimulatedReply> replies)
      throws SQLException {
    Instant now = clock.instant();
    Set<UUID> ids = replies.stream().map(SimulatedReply::saga).collect(Collectors.toSet());
    List<StoredSaga> stored = store.loadForUpdate(tx.connection(), ids);
    List<LockedSaga<PlaceOrder>> orders = sagas.load(tx, stored);
    List<LockedSaga<PlaceOrder>> shipments = shipping.load(tx, stored);
    Map<UUID, LockedSaga<PlaceOrder>> byId = new HashMap<>();
    orders.forEach(saga -> byId.put(saga.state().id(), saga));
    shipments.forEach(saga -> byId.put(saga.state().id(), saga));
    List<Optional<ReplyStanding>> standings = new ArrayList<>();
    for (SimulatedReply reply : replies) {
      Optional<LockedSaga<PlaceOrder>> saga = Optional.ofNullable(byId.get(reply.saga()));
      standings.add(saga.map(it -> it.standing(reply.event())));
      saga.ifPresent(it -> it.apply(reply.event(), now));
    }
    sagas.save(forged(tx), orders);
    shipping.save(forged(tx), shipments);
    return standings;
  }

  /** Resends, or ends, what fell due. */
  public int fireDue(Transaction tx, int limit) throws SQLException {
    return sagas.fireDue(forged(tx), limit).size();
  }

  /** The same for the sagas that others have started. */
  public int fireDueShipments(Transaction tx, int limit) throws SQLException {
    return shipping.fireDue(forged(tx), limit).size();
  }

  /** The customer cancels; empty when there is no such order. */
  public Optional<CancelOutcome> cancel(Transaction tx, UUID order) throws SQLException {
    SagaEvent.Cancel cancel = new SagaEvent.Cancel("CANCELLED_BY_CUSTOMER", "customer", null);
    return sagas.cancel(forged(tx), order, cancel);
  }

  /** What the saga about an order waits for has come; empty when there is no such order. */
  public Optional<SignalStanding> signal(Transaction tx, UUID order, SagaEvent.Signalled signal)
      throws SQLException {
    Optional<UUID> id = store.findBySubject(tx.connection(), definition(), order);
    if (id.isEmpty()) {
      return Optional.empty();
    }
    List<LockedSaga<PlaceOrder>> locked =
        sagas.load(tx, store.loadForUpdate(tx.connection(), Set.of(id.get())));
    Optional<SignalStanding> standing = locked.stream().findFirst().map(it -> it.standing(signal));
    locked.forEach(it -> it.apply(signal, clock.instant()));
    sagas.save(forged(tx), locked);
    return standing;
  }

  /** An operator has a saga undone, or what it waits for resent. */
  public void request(Transaction tx, UUID sagaId, SagaEvent.Request request) throws SQLException {
    for (StoredSaga locked : store.loadForUpdate(tx.connection(), Set.of(sagaId))) {
      sagas.request(forged(tx), locked, request);
    }
  }

  private Transaction forged(Transaction tx) {
    return new Forged(tx, forger);
  }

  /** Changes the commands that are recorded. */
  private record Forged(Transaction tx, Function<OutboxMessage, OutboxMessage> forger)
      implements Transaction {

    @Override
    public Connection connection() {
      return tx.connection();
    }

    @Override
    public void send(Collection<OutboxMessage> messages) {
      tx.send(messages.stream().map(this::forged).toList());
    }

    @Override
    public void sendAgain(Collection<OutboxMessage> messages) {
      tx.sendAgain(messages.stream().map(this::forged).toList());
    }

    private OutboxMessage forged(OutboxMessage message) {
      return message.exchange().equals(OutboxMessage.COMMANDS) ? forger.apply(message) : message;
    }

    @Override
    public void afterCommit(Runnable task) {
      tx.afterCommit(task);
    }
  }

  /** An answer to the payment that says that nothing was charged. */
  public static SimulatedReply declined(UUID sagaId, UUID order) {
    return refused(
        sagaId, "process-payment", new OrderReply.PaymentDeclined(order, "CARD_DECLINED"));
  }

  /** An answer to the shipment that says that nothing was booked. */
  public static SimulatedReply rejected(UUID sagaId, UUID order) {
    return refused(
        sagaId, "arrange-shipment", new OrderReply.ShipmentRejected(order, "COUNTRY_NOT_SERVED"));
  }

  private static SimulatedReply refused(UUID sagaId, String step, OrderReply.NotDone refusal) {
    String type = refusal.getClass().getSimpleName();
    return SimulatedReply.of(
        sagaId, RecordReply.of(step, type, ReplyOutcome.REFUSED, refusal, refusal::refusalReason));
  }

  /** Orders in memory; behaves like {@link OrderRepository}. */
  private record InMemory(Table<UUID, Order> orders, ObjectMapper json)
      implements SagaRepository<PlaceOrder> {

    @Override
    public UUID id(PlaceOrder subject) {
      return subject.id();
    }

    @Override
    public String type() {
      return "order";
    }

    @Override
    public Map<UUID, PlaceOrder> load(Transaction tx, Set<UUID> ids) throws SQLException {
      SimulatedTransaction own = SimulatedTransaction.of(tx.connection());
      own.statement(() -> "load orders");
      Map<UUID, PlaceOrder> loaded = new LinkedHashMap<>();
      for (UUID id : new TreeSet<>(ids)) {
        orders.lock(own, id);
        Order order = orders.get(own, id);
        if (order != null) {
          loaded.put(id, PlaceOrder.of(order));
        }
      }
      return loaded;
    }

    @Override
    public void insert(Transaction tx, Collection<PlaceOrder> subjects) throws SQLException {
      save(tx, subjects);
    }

    @Override
    public void save(Transaction tx, Collection<PlaceOrder> changed) throws SQLException {
      SimulatedTransaction own = SimulatedTransaction.of(tx.connection());
      own.statement(() -> "save orders " + changed.stream().map(o -> o.order().status()).toList());
      List<OutboxMessage> told = new ArrayList<>();
      for (PlaceOrder each : changed) {
        orders.put(own, each.id(), each.order());
        each.raised().forEach(event -> told.add(event.message(json)));
      }
      tx.send(told);
    }
  }
}
