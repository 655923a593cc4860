package io.onceflow.order.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.order.domain.Order;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Transaction;
import io.onceflow.saga.internal.RetryPolicy;
import io.onceflow.saga.internal.engine.CancelOutcome;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.runtime.SagaMessages;
import io.onceflow.saga.internal.store.CommandFormat;
import io.onceflow.saga.internal.store.DeliveredReply;
import io.onceflow.saga.internal.store.DeliveryResult;
import io.onceflow.saga.internal.store.SagaMessage;
import io.onceflow.saga.internal.store.SagaProcessor;
import io.onceflow.saga.internal.store.SagaStartRequest;
import io.onceflow.saga.internal.store.SagaStore;
import io.onceflow.saga.internal.store.SubjectStore;
import io.onceflow.simulation.database.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;

/**
 * The order saga of production with its engine, over tables in memory; behaves like {@link
 * OrderSagas}.
 */
public final class SimulatedOrders {

  /** The origin of its sagas. */
  public static final String ORIGIN = "order-service/place-order";

  private final SagaStore store;
  private final Table<UUID, Order> orders;
  private final SagaMessages messages;
  private final Clock clock;
  private final Function<OutboxMessage, OutboxMessage> forger;

  /**
   * @param forger changes each command before it is recorded; changes nothing in a run with all
   *     rules
   */
  public SimulatedOrders(
      SagaStore store,
      Table<UUID, Order> orders,
      ObjectMapper json,
      Clock clock,
      Function<OutboxMessage, OutboxMessage> forger) {
    this.store = store;
    this.orders = orders;
    this.messages = new SagaMessages(json, "order-service");
    this.clock = clock;
    this.forger = forger;
  }

  /** The records that its replies are read into, by AMQP type. */
  public static Map<String, Class<?>> replies() {
    return PlaceOrderSaga.DEFINITION.replies();
  }

  /** The definition's name. */
  public static String definition() {
    return PlaceOrderSaga.DEFINITION.name();
  }

  /** Records an order and starts its saga; does nothing when that has been done. */
  public void place(Transaction tx, UUID sagaId, Order order, String rootKey) throws SQLException {
    if (store.findBySubject(tx.connection(), definition(), order.id()).isPresent()) {
      return;
    }
    InMemory subjects = new InMemory(tx);
    PlaceOrder placed = PlaceOrder.created(order);
    subjects.save(tx.connection(), List.of(placed));
    sagas(tx, subjects)
        .start(
            tx.connection(),
            List.of(new SagaStartRequest<>(sagaId, placed, order.customer(), rootKey, null)),
            clock.instant());
  }

  /** Delivers replies. */
  public List<DeliveryResult> deliver(Transaction tx, List<DeliveredReply> replies)
      throws SQLException {
    return sagas(tx, new InMemory(tx)).deliver(tx.connection(), replies, clock.instant());
  }

  /** Sends again, or gives up on, what fell due. */
  public int fireDue(Transaction tx, int limit) throws SQLException {
    return sagas(tx, new InMemory(tx)).fireDue(tx.connection(), limit).size();
  }

  /** The customer cancels; empty when there is no such order. */
  public Optional<CancelOutcome> cancel(Transaction tx, UUID order) throws SQLException {
    SagaEvent.Cancel cancel = new SagaEvent.Cancel("CANCELLED_BY_CUSTOMER", "customer", null);
    return sagas(tx, new InMemory(tx)).cancel(tx.connection(), order, cancel, clock.instant());
  }

  /** An operator has a saga undone, or what it waits for sent again. */
  public void request(Transaction tx, UUID sagaId, SagaEvent.Request request) throws SQLException {
    sagas(tx, new InMemory(tx)).request(tx.connection(), sagaId, request, clock.instant());
  }

  /** An answer to the payment that says that nothing was charged. */
  public static DeliveredReply declined(UUID sagaId, UUID order) {
    return new DeliveredReply(sagaId, new OrderReply.PaymentDeclined(order, "CARD_DECLINED"));
  }

  /** An answer to the shipment that says that nothing was booked. */
  public static DeliveredReply rejected(UUID sagaId, UUID order) {
    return new DeliveredReply(sagaId, new OrderReply.ShipmentRejected(order, "COUNTRY_NOT_SERVED"));
  }

  private SagaProcessor<PlaceOrder> sagas(Transaction tx, SubjectStore<PlaceOrder> subjects) {
    return new SagaProcessor<>(
        List.of(PlaceOrderSaga.DEFINITION),
        subjects,
        store,
        (connection, commands) -> tx.send(commands.stream().map(this::message).toList()),
        RetryPolicy.DEFAULT,
        new CommandFormat(ORIGIN, messages::write));
  }

  private OutboxMessage message(SagaMessage command) {
    return forger.apply(messages.command("order", command));
  }

  /** Orders in memory; behaves like {@link OrderRepository}. */
  private final class InMemory implements SubjectStore<PlaceOrder> {

    private final Transaction tx;

    private InMemory(Transaction tx) {
      this.tx = tx;
    }

    @Override
    public UUID id(PlaceOrder subject) {
      return subject.id();
    }

    @Override
    public Map<UUID, PlaceOrder> load(Connection connection, Set<UUID> ids) throws SQLException {
      var own = io.onceflow.simulation.database.SimulatedTransaction.of(connection);
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
    public void save(Connection connection, Collection<PlaceOrder> changed) throws SQLException {
      var own = io.onceflow.simulation.database.SimulatedTransaction.of(connection);
      own.statement(() -> "save orders " + changed.stream().map(o -> o.order().status()).toList());
      List<OutboxMessage> told = new ArrayList<>();
      for (PlaceOrder each : changed) {
        orders.put(own, each.id(), each.order());
        each.raised().forEach(event -> told.add(event.message(messages)));
      }
      tx.send(told);
    }
  }
}
