package io.onceflow.saga.internal.store;

import static io.onceflow.saga.PlaceOrder.done;
import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.start;
import static io.onceflow.saga.SagaDefinition.step;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.core.IdempotencyKey;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.Sagas.SagaStart;
import io.onceflow.saga.Step;
import io.onceflow.saga.Step.OutgoingCommand;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.runtime.LockedSagas;
import io.onceflow.saga.internal.runtime.SagaRunner;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.runtime.TestRuntime;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/** Sagas that start one another, in a real database. */
final class Family {

  static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  final TestRuntime runtime = new TestRuntime(new ObjectMapper(), "shop", Map.of());
  final UnitOfWork unitOfWork;
  final SagaRunners sagas;

  Family(DataSource database, Saga<?>... sagas) {
    this.unitOfWork = CountedShop.unitOfWork(database);
    this.sagas = runtime.runners(List.of(sagas), List.of(new TestOrders()), unitOfWork);
  }

  /** With a parent and its child. */
  Family(DataSource database) {
    this(database, new Parent(), new Child(), new Careful(), new Packing());
  }

  /** Starts a child past its pivot, and then tells bob; where that is compensated, ada before. */
  static final class Parent implements Saga<PlaceOrder> {

    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return saga(
          "parent",
          1,
          pivot("confirm").run(Family::confirmed),
          start("deliver", Child.class, Family::delivery).otherwise(tell("ada")),
          tell("bob"));
    }
  }

  /** Waits for a participant. */
  static final class Child implements Saga<PlaceOrder> {

    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return saga("child", 1, tell("driver"));
    }
  }

  /** Tells ada, starts a child, and asks bob, who decides; undone, it calms ada. */
  static final class Careful implements Saga<PlaceOrder> {

    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return saga(
          "careful",
          1,
          undoable("ada"),
          start("pack", Packing.class, Family::delivery),
          pivot("ask-bob")
              .send((PlaceOrder order) -> new OutgoingCommand("Ask", "mail.ask", order.id())));
    }
  }

  /** Tells the driver, then the porter; undone, it calms both. */
  static final class Packing implements Saga<PlaceOrder> {

    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return saga("packing", 1, undoable("driver"), undoable("porter"))
          .onCompensated(
              (PlaceOrder order, String why) ->
                  new PlaceOrder(order.id(), order.noted(), false, why));
    }
  }

  static PlaceOrder confirmed(PlaceOrder order) {
    return new PlaceOrder(order.id(), order.noted(), true, null);
  }

  /** What a child is about. */
  static PlaceOrder delivery(PlaceOrder order) {
    return order(UUID.nameUUIDFromBytes(("delivery of " + order.id()).getBytes(UTF_8)));
  }

  static PlaceOrder order(UUID id) {
    return new PlaceOrder(id, List.of(), false, null);
  }

  static Step.Send<PlaceOrder> tell(String name) {
    return step("tell-" + name)
        .send((PlaceOrder order) -> new OutgoingCommand("Tell", "mail.tell", order.id()));
  }

  static Step.Send<PlaceOrder> undoable(String name) {
    return tell(name)
        .compensateWith(
            "calm-" + name,
            (PlaceOrder order) -> new OutgoingCommand("Calm", "mail.calm", order.id()));
  }

  /** A parent that has started its child, and waits for it. */
  UUID placeCareful(UUID order) throws SQLException {
    UUID parent = place("careful", order);
    reply(parent, done("tell-ada"));
    return parent;
  }

  /** An operator cancels. */
  OperatorAnswer cancel(UUID saga) throws SQLException {
    SagaEvent.Cancel cancel = new SagaEvent.Cancel("CANCELLED", "ops", null);
    return unitOfWork.call(tx -> sagas.request(tx, saga, cancel));
  }

  /** Starts a saga of this definition about an order of this id. */
  UUID place(String definition, UUID order) throws SQLException {
    UUID id = OutboxMessage.newId();
    SagaStart<PlaceOrder> start =
        new SagaStart<>(order(order), "alice", new IdempotencyKey("key-" + order), TRACE);
    unitOfWork.call(tx -> runner(definition).start(tx, List.of(start), List.of(id)));
    return id;
  }

  UUID placeParent() throws SQLException {
    return place("parent", UUID.randomUUID());
  }

  @SuppressWarnings("unchecked") // all are about orders
  private SagaRunner<PlaceOrder> runner(String definition) {
    return (SagaRunner<PlaceOrder>) sagas.of(definition);
  }

  /** A participant answers. */
  void reply(UUID saga, Reply reply) throws SQLException {
    unitOfWork.call(
        tx -> {
          LockedSagas locked = sagas.lock(tx, Set.of(saga));
          LockedSaga<?> one = Objects.requireNonNull(locked.find(saga)).saga();
          Objects.requireNonNull(one)
              .apply(new SagaEvent.Replied(reply, reply.step(), reply.type()), Instant.now());
          locked.save();
          return one;
        });
  }

  /** How many were due. */
  int fireDue(String definition) throws SQLException {
    return unitOfWork.call(tx -> runner(definition).fireDue(tx, 100).size());
  }

  SagaView view(UUID saga) throws SQLException {
    return unitOfWork.call(tx -> sagas.view(tx, saga)).orElseThrow();
  }

  /** The saga of a definition about an order of this id. */
  static UUID about(String definition, UUID order) throws SQLException {
    String id = "SELECT id FROM saga_instance WHERE definition = '%s' AND subject_id = '%s'";
    return UUID.fromString(SagaDatabase.text(id.formatted(definition, order)));
  }

  /** The saga that a step has started. */
  UUID child(UUID parent, String step) throws SQLException {
    return UUID.fromString(Objects.requireNonNull(stepOf(parent, step).outcome()));
  }

  SagaView.Step stepOf(UUID saga, String name) throws SQLException {
    return view(saga).steps().stream()
        .filter(it -> it.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** How many commands of this step were sent. */
  static long sent(UUID saga, String step) throws SQLException {
    return SagaDatabase.count(
        "SELECT count(*) FROM outbox_message WHERE correlation_id = '%s' AND headers ->> 'x-saga-step' = '%s'"
            .formatted(saga, step));
  }
}
