package io.onceflow.saga.internal.store;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.RetryPolicy;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.runtime.SagaMessages;
import io.onceflow.saga.internal.store.version.Versions;
import io.onceflow.saga.internal.store.view.SagaReads;
import io.onceflow.saga.internal.store.view.SagaView;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Orders and their sagas in a real database; commands are kept in a list as they are sent. */
public final class Shop {

  static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  public final List<SagaMessage> sent = Collections.synchronizedList(new ArrayList<>());
  final TestOrders orders = new TestOrders();
  public final SagaProcessor<PlaceOrder> sagas;
  public final SagaReads<PlaceOrder> reads;
  private final SagaStore store;

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
    this(new PostgresSagaStore(SagaDatabase.source()), renderer, versions);
  }

  /**
   * @param store how sagas are written
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  Shop(SagaStore store, Function<Object, String> renderer, SagaDefinition<PlaceOrder>... versions) {
    Versions<PlaceOrder> known = Versions.of(List.of(versions), RetryPolicy.DEFAULT, null);
    CommandFormat format = new CommandFormat("shop/place-order", renderer, this::sent);
    sagas = new SagaProcessor<>(known, orders, store, format);
    reads = new SagaReads<>(known, store);
    this.store = store;
  }

  private OutboxMessage sent(String subjectType, SagaMessage message) {
    sent.add(message);
    return new SagaMessages(new ObjectMapper(), "shop").command(subjectType, message);
  }

  /** A transaction that sends nothing: {@link #sent} has the commands. */
  public static Transaction in(Connection connection) {
    return new Unsent(connection);
  }

  private record Unsent(Connection connection) implements Transaction {

    @Override
    public void send(Collection<OutboxMessage> messages) {
      // They are kept when they are made.
    }

    @Override
    public void afterCommit(Runnable told) {
      // Nothing is counted.
    }
  }

  /** Places orders in one transaction; answers their sagas' ids. */
  public List<UUID> place(int count) throws SQLException {
    List<PlaceOrder> placed =
        IntStream.range(0, count)
            .mapToObj(i -> new PlaceOrder(UUID.randomUUID(), List.of(), false, null))
            .toList();
    return SagaDatabase.inTransaction(
        connection -> {
          Transaction tx = in(connection);
          orders.insert(tx, placed);
          return sagas.start(tx, placed.stream().map(Shop::saga).toList(), Instant.now()).stream()
              .map(SagaState::id)
              .toList();
        });
  }

  public UUID placeOne() throws SQLException {
    return place(1).getFirst();
  }

  static SagaStartRequest<PlaceOrder> saga(PlaceOrder order) {
    return new SagaStartRequest<>(UUID.randomUUID(), order, "alice", "key-" + order.id(), TRACE);
  }

  /** Delivers the replies to one saga, all in one transaction. */
  public List<Delivered> deliver(UUID saga, Reply... replies) throws SQLException {
    return deliver(Arrays.stream(replies).map(reply -> new DeliveredReply(saga, reply)).toList());
  }

  public List<Delivered> deliver(List<DeliveredReply> replies) throws SQLException {
    return SagaDatabase.inTransaction(tx -> deliver(in(tx), replies));
  }

  List<Delivered> deliver(Transaction tx, List<DeliveredReply> replies) throws SQLException {
    Set<UUID> ids = replies.stream().map(DeliveredReply::sagaId).collect(Collectors.toSet());
    SagaBatch<PlaceOrder> batch = sagas.batch(tx, store.loadForUpdate(tx.connection(), ids));
    Instant now = Instant.now();
    List<Delivered> delivered = replies.stream().map(reply -> deliver(batch, reply, now)).toList();
    batch.write();
    return delivered;
  }

  private static Delivered deliver(SagaBatch<PlaceOrder> batch, DeliveredReply reply, Instant now) {
    if (!batch.has(reply.sagaId())) {
      return Delivered.UNKNOWN;
    }
    return batch.deliver(reply, now) ? Delivered.MOVED : Delivered.IGNORED;
  }

  /** What the delivery of a reply comes to. */
  public enum Delivered {
    MOVED,
    IGNORED,
    /** The saga is not there, or of a version that is not known. */
    UNKNOWN
  }

  public List<SagaState> fireDue(int limit) throws SQLException {
    return SagaDatabase.inTransaction(tx -> sagas.fireDue(in(tx), limit));
  }

  public SagaView view(UUID saga) throws SQLException {
    return SagaDatabase.inTransaction(tx -> reads.view(tx, saga)).orElseThrow();
  }

  /** What was sent since last asked, by step or compensation. */
  public List<String> heard() {
    List<String> names = sent.stream().map(SagaMessage::name).toList();
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
