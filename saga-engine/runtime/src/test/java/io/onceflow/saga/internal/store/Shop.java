package io.onceflow.saga.internal.store;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.onceflow.core.IdempotencyKey;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.Sagas.SagaStart;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.RetryPolicy;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.runtime.SagaMessages;
import io.onceflow.saga.internal.runtime.SagaRunner;
import io.onceflow.saga.internal.store.version.Versions;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import io.onceflow.saga.internal.store.view.SagaReads;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Orders and their sagas in a real database; commands are kept in a list as they are sent. */
public final class Shop {

  static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  public final List<Sent> sent = Collections.synchronizedList(new ArrayList<>());
  final TestOrders orders = new TestOrders();
  public final SagaRunner<PlaceOrder> sagas;
  public final SagaReads<PlaceOrder> reads;

  /** What is to be run once transactions have committed. */
  final List<Runnable> afterCommit = new ArrayList<>();

  /** The sagas that were written, once that is committed. */
  final List<LockedSaga<?>> committed = new ArrayList<>();

  private final SagaStore store;
  private volatile @Nullable Instant stoppedAt;

  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  public Shop(SagaDefinition<PlaceOrder>... versions) {
    this(String::valueOf, versions);
  }

  /**
   * @param renderer writes the payloads of commands
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  public Shop(Function<Object, String> renderer, SagaDefinition<PlaceOrder>... versions) {
    store = new PostgresSagaStore(SagaDatabase.source());
    sagas =
        new SagaRunner<>(
            Shop.class,
            Versions.of(List.of(versions), RetryPolicy.DEFAULT, null),
            orders,
            store,
            new SagaMessages(json(renderer), "shop"),
            this::now,
            committed::add);
    reads = sagas.reads();
  }

  private Instant now() {
    Instant stopped = stoppedAt;
    return stopped == null ? Instant.now() : stopped;
  }

  /** From now on events happen at this moment. */
  public void stopTheClock(Instant at) {
    stoppedAt = at;
  }

  /** The commands of {@link PlaceOrder} have its id as their payload. */
  private static ObjectMapper json(Function<Object, String> renderer) {
    JsonSerializer<UUID> raw =
        new JsonSerializer<>() {
          @Override
          public void serialize(UUID id, JsonGenerator json, SerializerProvider provider)
              throws IOException {
            json.writeRawValue(renderer.apply(id));
          }
        };
    return new ObjectMapper().registerModule(new SimpleModule().addSerializer(UUID.class, raw));
  }

  /** A command that was sent. */
  public record Sent(UUID sagaId, UUID subjectId, Rendered command, Map<String, String> headers) {

    private static Sent of(OutboxMessage message) {
      String name = message.headers().get(MessageHeaders.SAGA_STEP);
      return new Sent(
          UUID.fromString(message.correlationId()),
          UUID.fromString(message.aggregateId()),
          new Rendered(name, message.type(), message.routingKey(), message.payload()),
          message.headers());
    }

    public String rootKey() {
      return headers.get(MessageHeaders.IDEMPOTENCY_KEY);
    }

    String name() {
      return command.name();
    }
  }

  /** What does not change when it is sent again. */
  public record Rendered(String name, String type, String routingKey, String payload) {}

  /** A transaction that sends nothing. */
  public static Transaction in(Connection connection) {
    return new Unsent(connection, message -> {}, task -> {});
  }

  /** A transaction that sends nothing: {@link #sent} has the commands. */
  private Transaction heard(Connection connection) {
    return new Unsent(connection, message -> sent.add(Sent.of(message)), this::remember);
  }

  private synchronized void remember(Runnable task) {
    afterCommit.add(task);
  }

  private record Unsent(
      Connection connection, Consumer<OutboxMessage> listener, Consumer<Runnable> tasks)
      implements Transaction {

    @Override
    public void send(Collection<OutboxMessage> messages) {
      messages.forEach(listener);
    }

    @Override
    public void afterCommit(Runnable task) {
      tasks.accept(task);
    }
  }

  /** Places orders in one transaction; answers their sagas' ids. */
  public List<UUID> place(int count) throws SQLException {
    List<PlaceOrder> placed =
        IntStream.range(0, count)
            .mapToObj(i -> new PlaceOrder(UUID.randomUUID(), List.of(), false, null))
            .toList();
    return SagaDatabase.inTransaction(
        tx -> sagas.start(heard(tx), placed.stream().map(Shop::saga).toList(), ids(count)));
  }

  private static List<UUID> ids(int count) {
    return Stream.generate(UUID::randomUUID).limit(count).toList();
  }

  public UUID placeOne() throws SQLException {
    return place(1).getFirst();
  }

  private static SagaStart<PlaceOrder> saga(PlaceOrder order) {
    return new SagaStart<>(order, "alice", new IdempotencyKey("key-" + order.id()), TRACE);
  }

  /** Delivers the replies to one saga, all in one transaction. */
  public List<Delivered> deliver(UUID saga, Reply... replies) throws SQLException {
    return deliver(Arrays.stream(replies).map(reply -> new DeliveredReply(saga, reply)).toList());
  }

  public List<Delivered> deliver(List<DeliveredReply> replies) throws SQLException {
    return SagaDatabase.inTransaction(tx -> deliver(tx, replies));
  }

  List<Delivered> deliver(Connection connection, List<DeliveredReply> replies) throws SQLException {
    Transaction tx = heard(connection);
    Set<UUID> ids = replies.stream().map(DeliveredReply::sagaId).collect(Collectors.toSet());
    List<LockedSaga<PlaceOrder>> locked = sagas.load(tx, store.loadForUpdate(connection, ids));
    Map<UUID, LockedSaga<PlaceOrder>> byId =
        locked.stream().collect(Collectors.toMap(saga -> saga.state().id(), saga -> saga));
    List<Delivered> delivered =
        replies.stream().map(reply -> deliver(byId.get(reply.sagaId()), reply)).toList();
    sagas.save(tx, locked);
    return delivered;
  }

  private Delivered deliver(@Nullable LockedSaga<PlaceOrder> saga, DeliveredReply reply) {
    if (saga == null) {
      return Delivered.UNKNOWN;
    }
    SagaState before = saga.state();
    saga.apply(reply.event(), now());
    return saga.state().differsFrom(before) ? Delivered.MOVED : Delivered.IGNORED;
  }

  /** A reply that no message brought. */
  public record DeliveredReply(UUID sagaId, Reply reply) {

    private SagaEvent.Replied event() {
      return new SagaEvent.Replied(reply, reply.step(), Integer.toHexString(reply.hashCode()));
    }
  }

  /** Asks as an operator does. */
  public OperatorAnswer request(Connection tx, UUID saga, SagaEvent.Request request)
      throws SQLException {
    List<StoredSaga> locked = store.loadForUpdate(tx, Set.of(saga));
    return locked.isEmpty()
        ? new OperatorAnswer.Unknown()
        : sagas.request(heard(tx), locked.getFirst(), request);
  }

  /** Skips the compensation of a step as an operator does. */
  public OperatorAnswer skip(Connection tx, UUID saga, String step, String by) throws SQLException {
    StoredSaga locked = store.loadForUpdate(tx, Set.of(saga)).getFirst();
    return sagas.skipCompensation(heard(tx), locked, step, by);
  }

  /** What the delivery of a reply comes to. */
  public enum Delivered {
    MOVED,
    IGNORED,
    /** The saga is not there, or of a version that is not known. */
    UNKNOWN
  }

  public List<SagaState> fireDue(int limit) throws SQLException {
    return SagaDatabase.inTransaction(
        tx -> sagas.fireDue(heard(tx), limit).stream().map(LockedSaga::state).toList());
  }

  public SagaView view(UUID saga) throws SQLException {
    return SagaDatabase.inTransaction(tx -> reads.view(tx, saga)).orElseThrow();
  }

  /** What was sent since last asked, by step or compensation. */
  public List<String> heard() {
    List<String> names = sent.stream().map(Sent::name).toList();
    sent.clear();
    return names;
  }

  /** Lets every timer of the database fall due now. */
  public static void passDeadlines() throws SQLException {
    SagaDatabase.execute(
        "UPDATE saga_instance SET next_action_at = now() - interval '1 s' WHERE ended_at IS NULL");
    SagaDatabase.execute(
        """
        UPDATE saga_instance
        SET    steps = regexp_replace(
                         steps::text, '"dueAt": ?"[^"]*"', '"dueAt":"2026-01-01T00:00:00Z"', 'g'
                       )::json
        """);
  }
}
