package io.onceflow.order.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.order.domain.OrderReturn;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Transaction;
import io.onceflow.saga.SagaDefinition;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Takes orders back. */
@Singleton
public class ReturnSagas extends SagaRunner {

  private static final Map<String, Class<? extends ParticipantReply>> REPLIES =
      Map.copyOf(ReplyTypes.of(ReturnReply.class));

  private final SagaStore store;
  private final SagaMessages messages;
  private final OrderMessages events;
  private final ObjectMapper json;

  ReturnSagas(
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
  protected List<SagaDefinition<ReturnOrder>> versions() {
    return List.of(ReturnOrderSaga.DEFINITION);
  }

  @Override
  protected Map<String, Class<? extends ParticipantReply>> replies() {
    return REPLIES;
  }

  @Override
  protected Sagas<ReturnOrder> sagas(Transaction tx) {
    return sagas(tx, subjects(tx));
  }

  /** Records a return and takes the first step of its saga, unless that makes no sense. */
  public ReturnAnswer begin(Transaction tx, NewReturn asked) throws SQLException {
    ReturnSubjects subjects = subjects(tx);
    ReturnAnswer answer = subjects.begin(asked.orderId(), asked.customer(), now());
    if (answer instanceof ReturnAnswer.Begun begun) {
      start(tx, subjects, begun, asked);
    }
    return answer;
  }

  private void start(
      Transaction tx, ReturnSubjects subjects, ReturnAnswer.Begun begun, NewReturn asked)
      throws SQLException {
    UUID sagaId = OutboxMessage.newId();
    RootKeys.Wanted wanted = new RootKeys.Wanted(sagaId, asked.customer(), asked.rootKey());
    String root = new RootKeys(store).unused(tx, List.of(wanted)).getFirst();
    StartedSaga<ReturnOrder> started =
        new StartedSaga<>(
            sagaId,
            ReturnOrder.of(begun.wish(), begun.order()),
            asked.customer(),
            root,
            asked.traceparent());
    sagas(tx, subjects).start(tx.connection(), List.of(started), now());
  }

  /** The last return that was asked for of an order, with its saga; empty if none was. */
  public Optional<ReturnWithSaga> latestOf(Transaction tx, UUID orderId) throws SQLException {
    Optional<OrderReturn> wish = ReturnTable.latest(tx.connection(), orderId);
    if (wish.isEmpty()) {
      return Optional.empty();
    }
    Optional<SagaView> saga = sagas(tx).viewBySubject(tx.connection(), wish.get().id());
    return saga.map(view -> new ReturnWithSaga(wish.get(), view));
  }

  private ReturnSubjects subjects(Transaction tx) {
    return new ReturnSubjects(tx, events, json);
  }

  private Sagas<ReturnOrder> sagas(Transaction tx, ReturnSubjects subjects) {
    return new Sagas<>(
        versions(),
        subjects,
        store,
        (connection, commands) ->
            tx.send(commands.stream().map(it -> messages.command("order-return", it)).toList()),
        patience(),
        new CommandFormat(origin(), messages::write),
        startVersion());
  }
}
