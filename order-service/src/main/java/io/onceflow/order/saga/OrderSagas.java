package io.onceflow.order.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Transaction;
import io.onceflow.saga.CancelOutcome;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaEvent;
import io.onceflow.saga.runtime.CountedSagaStore;
import io.onceflow.saga.runtime.ParticipantReply;
import io.onceflow.saga.runtime.ReplyTypes;
import io.onceflow.saga.runtime.RootKeys;
import io.onceflow.saga.runtime.SagaConfig;
import io.onceflow.saga.runtime.SagaMessages;
import io.onceflow.saga.runtime.SagaRunner;
import io.onceflow.saga.store.CommandFormat;
import io.onceflow.saga.store.SagaStore;
import io.onceflow.saga.store.SagaView;
import io.onceflow.saga.store.Sagas;
import io.onceflow.saga.store.StartedSaga;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Places orders. */
@Singleton
public class OrderSagas extends SagaRunner {

  /** Shown to customers as the order's cancellation reason: the word stays. */
  public static final String CANCELLED_BY_CUSTOMER = "CANCELLED_BY_CUSTOMER";

  private static final Map<String, Class<? extends ParticipantReply>> REPLIES =
      Map.copyOf(ReplyTypes.of(OrderReply.class));

  private final SagaStore store;
  private final SagaMessages messages;
  private final OrderMessages events;
  private final ObjectMapper json;

  OrderSagas(
      SagaMessages messages,
      OrderMessages events,
      ObjectMapper json,
      CountedSagaStore store,
      Clock clock,
      SagaConfig config,
      @ConfigProperty(name = "quarkus.application.name") String application) {
    super(clock, config, application);
    this.store = store;
    this.messages = messages;
    this.events = events;
    this.json = json;
  }

  @Override
  protected List<SagaDefinition<PlaceOrder>> versions() {
    return List.of(PlaceOrderSaga.DEFINITION);
  }

  @Override
  protected Map<String, Class<? extends ParticipantReply>> replies() {
    return REPLIES;
  }

  @Override
  protected Sagas<PlaceOrder> sagas(Transaction tx) {
    return sagas(tx, subjects(tx));
  }

  /** Records orders, tells that they were created, and takes their sagas' first steps. */
  public void place(Transaction tx, List<NewOrder> orders) throws SQLException {
    List<RootKeys.Wanted> wanted = orders.stream().map(OrderSagas::wanted).toList();
    List<String> roots = new RootKeys(store).unused(tx, wanted);
    List<StartedSaga<PlaceOrder>> started = new ArrayList<>();
    for (int i = 0; i < orders.size(); i++) {
      started.add(started(wanted.get(i), roots.get(i), orders.get(i)));
    }
    OrderSubjects subjects = subjects(tx);
    subjects.insert(started.stream().map(StartedSaga::subject).toList());
    sagas(tx, subjects).start(tx.connection(), started, now());
  }

  private static RootKeys.Wanted wanted(NewOrder order) {
    return new RootKeys.Wanted(OutboxMessage.newId(), order.order().customer(), order.rootKey());
  }

  private static StartedSaga<PlaceOrder> started(
      RootKeys.Wanted saga, String root, NewOrder placed) {
    return new StartedSaga<>(
        saga.sagaId(),
        PlaceOrder.created(placed.order()),
        saga.scope(),
        root,
        placed.traceparent());
  }

  /**
   * Cancels an order, if that is still possible.
   *
   * @param by who wants it, for the saga's history
   * @return what it comes to; empty when its saga follows a version that is not known here
   */
  public Optional<CancelOutcome> cancel(Transaction tx, UUID orderId, String by)
      throws SQLException {
    SagaEvent.Cancel cancel = new SagaEvent.Cancel(CANCELLED_BY_CUSTOMER, by, null);
    return sagas(tx).cancel(tx.connection(), orderId, cancel, now());
  }

  /** An order's saga, for showing it. */
  public Optional<SagaView> ofOrder(Transaction tx, UUID orderId) throws SQLException {
    return sagas(tx).viewBySubject(tx.connection(), orderId);
  }

  private OrderSubjects subjects(Transaction tx) {
    return new OrderSubjects(tx, events, json);
  }

  private Sagas<PlaceOrder> sagas(Transaction tx, OrderSubjects subjects) {
    return new Sagas<>(
        versions(),
        subjects,
        store,
        (connection, commands) ->
            tx.send(commands.stream().map(it -> messages.command("order", it)).toList()),
        patience(),
        new CommandFormat(origin(), messages::write),
        startVersion());
  }
}
