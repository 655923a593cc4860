package io.onceflow.order.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.idempotency.IdempotencyKey;
import io.onceflow.inbox.CannotHandle;
import io.onceflow.inbox.ParkingReason;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Transaction;
import io.onceflow.saga.store.DeliveredReply;
import io.onceflow.saga.store.Delivery;
import io.onceflow.saga.store.PostgresSagaStore;
import io.onceflow.saga.store.SagaStore;
import io.onceflow.saga.store.SagaView;
import io.onceflow.saga.store.Sagas;
import io.onceflow.saga.store.StartedSaga;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Places orders: starts their sagas, delivers replies to them, and sends again what was lost. */
@ApplicationScoped
public class OrderSagas {

  private final SagaStore store = new PostgresSagaStore();
  private final OrderMessages messages;
  private final ObjectMapper json;
  private final Clock clock;

  OrderSagas(OrderMessages messages, ObjectMapper json, Clock clock) {
    this.messages = messages;
    this.json = json;
    this.clock = clock;
  }

  /** Records orders, tells that they were created, and takes their sagas' first steps. */
  public void place(Transaction tx, List<NewOrder> orders) throws SQLException {
    List<StartedSaga<PlaceOrder>> started = new ArrayList<>();
    for (NewOrder order : orders) {
      started.add(started(tx, order));
    }
    OrderSubjects subjects = subjects(tx);
    subjects.insert(started.stream().map(StartedSaga::subject).toList());
    sagas(tx, subjects).start(tx.connection(), started, clock.instant());
  }

  private StartedSaga<PlaceOrder> started(Transaction tx, NewOrder placed) throws SQLException {
    UUID sagaId = OutboxMessage.newId();
    String customer = placed.order().customer();
    String root = unusedRootKey(tx, customer, placed.rootKey(), sagaId);
    return new StartedSaga<>(
        sagaId, PlaceOrder.created(placed.order()), customer, root, placed.traceparent());
  }

  /**
   * Delivers replies, several to one saga in their order.
   *
   * @throws CannotHandle when one of them answers a saga that does not exist
   */
  public void deliver(Transaction tx, List<DeliveredReply> replies) throws SQLException {
    for (Delivery delivery :
        sagas(tx, subjects(tx)).deliver(tx.connection(), replies, clock.instant())) {
      switch (delivery.outcome()) {
        case MOVED, IGNORED -> {}
        case UNKNOWN_SAGA, UNKNOWN_DEFINITION -> throw unknown(delivery.reply());
      }
    }
  }

  /**
   * Sends again what was not answered in time.
   *
   * @return how many sagas were due; {@code limit} means that more may be
   */
  public int fireDue(Transaction tx, int limit) throws SQLException {
    return sagas(tx, subjects(tx)).fireDue(tx.connection(), limit).size();
  }

  /** An order's saga, for showing it. */
  public Optional<SagaView> ofOrder(Transaction tx, UUID orderId) throws SQLException {
    return sagas(tx, subjects(tx)).viewBySubject(tx.connection(), orderId);
  }

  /**
   * The client's key, unless an earlier saga has it: a key may be used again when its record has
   * expired, and the step keys of the first saga are remembered for longer than that.
   */
  private String unusedRootKey(Transaction tx, String scope, IdempotencyKey key, UUID sagaId)
      throws SQLException {
    if (!store.isRootKeyUsed(tx.connection(), scope, key.value())) {
      return key.value();
    }
    String suffix = "~" + sagaId;
    int room = IdempotencyKey.MAX_LENGTH - suffix.length();
    return key.value().substring(0, Math.min(room, key.value().length())) + suffix;
  }

  private OrderSubjects subjects(Transaction tx) {
    return new OrderSubjects(tx, messages, json);
  }

  private Sagas<PlaceOrder> sagas(Transaction tx, OrderSubjects subjects) {
    return new Sagas<>(
        List.of(PlaceOrderSaga.DEFINITION),
        subjects,
        store,
        (connection, commands) -> tx.send(commands.stream().map(messages::command).toList()));
  }

  private static CannotHandle unknown(DeliveredReply reply) {
    return new CannotHandle(
        ParkingReason.UNKNOWN_SAGA,
        "%s answers saga %s, which is not known here"
            .formatted(reply.reply().type(), reply.sagaId()));
  }
}
