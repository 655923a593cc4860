package io.onceflow.saga.internal.store;

import static io.onceflow.saga.Limit.running;
import static io.onceflow.saga.PlaceOrder.paymentDeclined;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.engine.SagaEvent;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A limit of running sagas: the others wait in the order of their start. */
class SagaPlacesTest {

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
        .satisfies(line -> assertThat(line.detail()).isEqualTo("2 of its key are running"));
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

  /** Red without the lock: both count before the other has committed. */
  @Test
  void holdsWhoeverStartsAtOnce() throws Exception {
    try (ExecutorService replicas = Executors.newFixedThreadPool(4)) {
      Callable<UUID> start = shop::placeOne;
      replicas.invokeAll(Stream.generate(() -> start).limit(12).toList());
    }
    assertThat(SagaDatabase.count("SELECT count(*) FROM saga_place WHERE queued_since IS NULL"))
        .isEqualTo(2);
    assertThat(SagaDatabase.count("SELECT count(*) FROM saga_instance WHERE status = 'QUEUED'"))
        .isEqualTo(10);
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
