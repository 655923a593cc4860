package io.onceflow.saga.internal.store;

import static io.onceflow.saga.Limit.running;
import static io.onceflow.saga.PlaceOrder.paymentDeclined;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Sagas.SagaStart;
import io.onceflow.saga.internal.engine.SagaEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A limit of running sagas: the others wait in the order of their start. */
class SagaPlacesTest {

  private static final String WAITS_FOR_A_LOCK =
      "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";

  private static final String WAITS = "SELECT count(*) FROM pg_locks WHERE NOT granted";

  private final Shop shop = new Shop(PlaceOrder.DEFINITION.limit(running(2).inAll()));

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew();
  }

  @Test
  void queuesWhatIsBeyondTheLimitAndSendsNothingOfIt() throws SQLException {
    List<UUID> placed = shop.place(3);
    assertThat(statuses(placed))
        .containsExactly(SagaStatus.RUNNING, SagaStatus.RUNNING, SagaStatus.QUEUED);
    assertThat(shop.heard()).containsExactly("process-payment", "process-payment");
    assertThat(shop.view(placed.getLast()).history())
        .singleElement()
        .satisfies(line -> assertThat(line.event()).isEqualTo("saga-queued"))
        .satisfies(line -> assertThat(line.detail()).isEqualTo("2 are running"));
    assertThat(shop.fireDue(10)).as("nothing polls").isEmpty();
  }

  @Test
  void givesThePlaceOfOneThatEndsToTheOneThatHasWaitedLongest() throws SQLException {
    UUID first = shop.placeOne();
    shop.placeOne();
    UUID third = shop.placeOne();
    UUID fourth = shop.placeOne();
    shop.heard();

    shop.deliver(first, paymentDeclined());
    shop.fireDue(10);

    assertThat(statuses(List.of(first, third, fourth)))
        .containsExactly(SagaStatus.COMPENSATED, SagaStatus.RUNNING, SagaStatus.QUEUED);
    assertThat(shop.heard()).containsExactly("process-payment");
    assertThat(shop.fireDue(10)).isEmpty();
  }

  /** Seen red without the priority in the order of the queue. */
  @Test
  void givesThePlaceToTheHighestPriorityAndAmongThoseToTheOldest() throws SQLException {
    List<Integer> priorities = new ArrayList<>(List.of(0, 0, 1, 5, 5));
    Shop hurried =
        new Shop(
            PlaceOrder.DEFINITION
                .limit(running(1).inAll())
                .priority(order -> priorities.removeFirst()));
    List<UUID> placed = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      placed.add(hurried.placeOne());
    }

    List<UUID> started = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      UUID running = runs(placed);
      started.add(running);
      hurried.deliver(running, paymentDeclined());
      hurried.fireDue(10);
    }

    assertThat(started)
        .containsExactly(placed.get(0), placed.get(3), placed.get(4), placed.get(2), placed.get(1));
  }

  private UUID runs(List<UUID> placed) throws SQLException {
    for (UUID saga : placed) {
      if (shop.view(saga).status() == SagaStatus.RUNNING) {
        return saga;
      }
    }
    throw new AssertionError("none runs");
  }

  @Test
  void aQueuedSagaIsCancelledWithoutHavingSentAnything() throws SQLException {
    shop.place(2);
    UUID third = shop.placeOne();
    shop.heard();
    SagaDatabase.inTransaction(
        tx -> shop.request(tx, third, new SagaEvent.Cancel("CANCELLED", "ada", null)));
    assertThat(shop.view(third).status()).isEqualTo(SagaStatus.COMPENSATED);
    assertThat(shop.heard()).isEmpty();
    assertThat(SagaDatabase.count("SELECT count(*) FROM saga_place")).isEqualTo(2);
  }

  @Test
  void keysDoNotWaitForEachOther() throws SQLException {
    Shop perOrder = new Shop(PlaceOrder.DEFINITION.limit(running(1).per(PlaceOrder::id)));
    assertThat(statuses(perOrder, perOrder.place(4))).containsOnly(SagaStatus.RUNNING);
  }

  /** Red without the lock: the second counts before the first has committed, and runs as well. */
  @Test
  void countsWhatAnotherReplicaHasStartedAndNotCommitted() throws Exception {
    Shop one = new Shop(PlaceOrder.DEFINITION.limit(running(1).inAll()));
    UUID first = UUID.randomUUID();
    try (Connection tx = SagaDatabase.begin();
        ExecutorService replica = Executors.newSingleThreadExecutor()) {
      one.sagas.start(Shop.in(tx), List.of(start()), List.of(first));
      Future<UUID> second = replica.submit(one::placeOne);
      await().until(() -> second.isDone() || SagaDatabase.count(WAITS_FOR_A_LOCK) > 0);
      tx.commit();
      assertThat(statuses(one, List.of(first, second.get())))
          .containsExactly(SagaStatus.RUNNING, SagaStatus.QUEUED);
    }
  }

  /**
   * Red where the cancelled one asks for the lock of the key as well: a deadlock. The one after it
   * gets the place.
   */
  @Test
  void aQueuedSagaIsCancelledWhileAnotherEnds() throws Exception {
    Shop one = new Shop(PlaceOrder.DEFINITION.limit(running(1).inAll()));
    List<UUID> placed = one.place(3);
    try (Connection tx = SagaDatabase.begin();
        ExecutorService replica = Executors.newSingleThreadExecutor()) {
      tx.createStatement()
          .execute("SELECT FROM saga_instance WHERE id = '%s' FOR UPDATE".formatted(placed.get(1)));
      Future<?> end = replica.submit(() -> one.deliver(placed.getFirst(), paymentDeclined()));
      await().until(() -> end.isDone() || SagaDatabase.count(WAITS) > 0);
      one.request(tx, placed.get(1), new SagaEvent.Cancel("CANCELLED", "ada", null));
      tx.commit();
      end.get();
      one.fireDue(10);
      assertThat(statuses(one, placed))
          .containsExactly(SagaStatus.COMPENSATED, SagaStatus.COMPENSATED, SagaStatus.RUNNING);
    }
  }

  private static SagaStart<PlaceOrder> start() {
    PlaceOrder order = new PlaceOrder(UUID.randomUUID(), List.of(), false, null);
    return new SagaStart<>(order, "alice", new IdempotencyKey("key-" + order.id()), null);
  }

  @Test
  void whatWaitsGoesOnWhereTheLimitIsGone() throws SQLException {
    List<UUID> placed = shop.place(4);
    Shop unlimited =
        new Shop(
            PlaceOrder.DEFINITION.limit(running(2).inAll()),
            new SagaDefinition<>("place-order", 2, PlaceOrder.DEFINITION.parts()));
    unlimited.deliver(placed.getFirst(), paymentDeclined());
    unlimited.fireDue(10);
    assertThat(statuses(unlimited, placed))
        .containsExactly(
            SagaStatus.COMPENSATED, SagaStatus.RUNNING, SagaStatus.RUNNING, SagaStatus.RUNNING);
  }

  private List<SagaStatus> statuses(List<UUID> sagas) throws SQLException {
    return statuses(shop, sagas);
  }

  private static List<SagaStatus> statuses(Shop shop, List<UUID> sagas) throws SQLException {
    List<SagaStatus> all = new ArrayList<>();
    for (UUID saga : sagas) {
      all.add(shop.view(saga).status());
    }
    return all;
  }
}
