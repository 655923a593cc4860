package io.onceflow.order.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.order.domain.Order;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.api.SagaRepository;
import io.onceflow.saga.internal.RetryPolicy;
import io.onceflow.saga.internal.engine.ReplyStanding;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.runtime.SagaMessages;
import io.onceflow.saga.internal.store.CommandFormat;
import io.onceflow.saga.internal.store.DeliveredReply;
import io.onceflow.saga.internal.store.SagaBatch;
import io.onceflow.saga.internal.store.SagaProcessor;
import io.onceflow.saga.internal.store.SagaStartRequest;
import io.onceflow.saga.internal.store.SagaStore;
import io.onceflow.saga.internal.store.version.Versions;
import io.onceflow.simulation.database.SimulatedTransaction;
import io.onceflow.simulation.database.Table;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
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
import java.util.stream.Collectors;

/**
 * The order saga of production with its engine, over tables in memory; behaves like {@link
 * OrderSagas}.
 */
public final class SimulatedOrders {

  /** The origin of its sagas. */
  public static final String ORIGIN = "order-service/place-order";

  private final SagaStore store;
  private final InMemory subjects;
  private final SagaProcessor<PlaceOrder> sagas;
  private final Clock clock;

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
    SagaMessages messages = new SagaMessages(json, "order-service");
    this.store = store;
    this.subjects = new InMemory(orders, messages);
    this.sagas =
        new SagaProcessor<>(
            Versions.of(List.of(PlaceOrderSaga.DEFINITION), RetryPolicy.DEFAULT, null),
            subjects,
            store,
            new CommandFormat(
                ORIGIN,
                messages::write,
                (type, command) -> forger.apply(messages.command(type, command))));
    this.clock = clock;
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
    PlaceOrder placed = PlaceOrder.of(order);
    subjects.insert(tx, List.of(placed));
    sagas.start(
        tx,
        List.of(new SagaStartRequest<>(sagaId, placed, order.customer(), rootKey, null)),
        clock.instant());
  }

  /**
   * Delivers replies.
   *
   * @return what each was to its saga; empty where there is none
   */
  public List<Optional<ReplyStanding>> deliver(Transaction tx, List<DeliveredReply> replies)
      throws SQLException {
    Instant now = clock.instant();
    Set<UUID> ids = replies.stream().map(DeliveredReply::sagaId).collect(Collectors.toSet());
    SagaBatch<PlaceOrder> batch = sagas.batch(tx, store.loadForUpdate(tx.connection(), ids));
    List<Optional<ReplyStanding>> standings = new ArrayList<>();
    for (DeliveredReply reply : replies) {
      if (batch.has(reply.sagaId())) {
        standings.add(Optional.of(batch.standing(reply)));
        batch.deliver(reply, now);
      } else {
        standings.add(Optional.empty());
      }
    }
    batch.write();
    return standings;
  }

  /** Sends again, or gives up on, what fell due. */
  public int fireDue(Transaction tx, int limit) throws SQLException {
    return sagas.fireDue(tx, limit).size();
  }

  /** The customer cancels; empty when there is no such order. */
  public Optional<CancelOutcome> cancel(Transaction tx, UUID order) throws SQLException {
    SagaEvent.Cancel cancel = new SagaEvent.Cancel("CANCELLED_BY_CUSTOMER", "customer", null);
    return sagas.cancel(tx, order, cancel, clock.instant());
  }

  /** An operator has a saga undone, or what it waits for sent again. */
  public void request(Transaction tx, UUID sagaId, SagaEvent.Request request) throws SQLException {
    sagas.request(tx, sagaId, request, clock.instant());
  }

  /** An answer to the payment that says that nothing was charged. */
  public static DeliveredReply declined(UUID sagaId, UUID order) {
    return new DeliveredReply(sagaId, new OrderReply.PaymentDeclined(order, "CARD_DECLINED"));
  }

  /** An answer to the shipment that says that nothing was booked. */
  public static DeliveredReply rejected(UUID sagaId, UUID order) {
    return new DeliveredReply(sagaId, new OrderReply.ShipmentRejected(order, "COUNTRY_NOT_SERVED"));
  }

  /** Orders in memory; behaves like {@link OrderRepository}. */
  private record InMemory(Table<UUID, Order> orders, SagaMessages messages)
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
        each.raised().forEach(event -> told.add(event.message(messages)));
      }
      tx.send(told);
    }
  }
}
