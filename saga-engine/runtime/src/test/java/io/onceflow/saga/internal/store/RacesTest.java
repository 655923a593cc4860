package io.onceflow.saga.internal.store;

import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static io.onceflow.saga.PlaceOrder.shipmentArranged;
import static io.onceflow.saga.internal.store.Shop.Delivered.IGNORED;
import static io.onceflow.saga.internal.store.Shop.Delivered.MOVED;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.RetryPolicy;
import io.onceflow.saga.internal.store.Shop.DeliveredReply;
import io.onceflow.saga.internal.store.version.Versions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two writers and one saga. */
@Timeout(value = 60, unit = SECONDS)
class RacesTest {

  private final Shop shop = new Shop(PlaceOrder.DEFINITION);

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew();
  }

  /** The second waits for the first's lock and has to see its steps too, not those of before. */
  @Test
  void aReplyThatWaitedSeesWhatItWaitedFor() throws Exception {
    UUID saga = shop.placeOne();
    try (Connection first = SagaDatabase.begin();
        ExecutorService second = Executors.newSingleThreadExecutor()) {
      shop.deliver(first, List.of(new DeliveredReply(saga, paymentProcessed())));
      Future<List<Shop.Delivered>> waiting =
          second.submit(() -> shop.deliver(saga, paymentProcessed(), shipmentArranged()));
      await().until(RacesTest::aWriterWaitsForALock);
      first.commit();

      assertThat(waiting.get()).containsExactly(IGNORED, MOVED);
    }
    assertThat(shop.view(saga).status()).isEqualTo(SagaStatus.COMPLETED);
  }

  @Test
  void theSameRepliesFromEverySideMoveEachSagaOnce() throws Exception {
    List<UUID> sagas = shop.place(40);
    shop.heard();

    allAtOnce(sagas, paymentProcessed());
    allAtOnce(sagas, shipmentArranged());

    assertThat(shop.heard()).hasSize(40).containsOnly("arrange-shipment");
    for (UUID saga : sagas) {
      SagaView view = shop.view(saga);
      assertThat(view.status()).isEqualTo(SagaStatus.COMPLETED);
      assertThat(view.history()).filteredOn(e -> e.event().equals("reply-ignored")).isEmpty();
      assertThat(view.history()).filteredOn(e -> e.event().equals("saga-completed")).hasSize(1);
    }
  }

  /** Eight writers, each with every saga's reply, in batches that overlap in another order. */
  private void allAtOnce(List<UUID> sagas, Reply reply) throws Exception {
    List<Callable<Void>> writers = new ArrayList<>();
    for (int seed = 0; seed < 8; seed++) {
      List<UUID> shuffled = new ArrayList<>(sagas);
      Collections.shuffle(shuffled, new Random(seed));
      writers.add(
          () -> {
            for (int from = 0; from < shuffled.size(); from += 10) {
              shop.deliver(
                  shuffled.subList(from, from + 10).stream()
                      .map(saga -> new DeliveredReply(saga, reply))
                      .toList());
            }
            return null;
          });
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(writers.size())) {
      for (Future<Void> writer : threads.invokeAll(writers)) {
        writer.get();
      }
    }
  }

  @Test
  void refusesAWriterThatForgotToLock() throws SQLException {
    UUID saga = shop.placeOne();
    SagaStore store = new PostgresSagaStore(SagaDatabase.source());
    StoredSaga read = SagaDatabase.inTransaction(tx -> store.find(tx, saga)).orElseThrow().saga();
    shop.deliver(saga, paymentProcessed());
    LockedSaga<PlaceOrder> late =
        Versions.of(List.of(PlaceOrder.DEFINITION), RetryPolicy.DEFAULT, null)
            .lock(read, PlaceOrder.order(), new TextPayloads());
    late.apply(PlaceOrder.replied(PlaceOrder.paymentDeclined()), Instant.now());

    assertThatExceptionOfType(SagaLostUpdate.class)
        .isThrownBy(
            () ->
                SagaDatabase.inTransaction(
                    tx -> {
                      store.save(tx, List.of(late));
                      return null;
                    }))
        .withMessageContainingAll(saga.toString(), "roll back");
    assertThat(shop.view(saga).status()).isEqualTo(SagaStatus.RUNNING);
  }

  private static boolean aWriterWaitsForALock() throws SQLException {
    String waiting =
        """
        SELECT count(*) > 0
        FROM   pg_stat_activity
        WHERE  datname = current_database()
        AND    wait_event_type = 'Lock'
        """;
    try (Connection connection = SagaDatabase.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(waiting)) {
      rows.next();
      return rows.getBoolean(1);
    }
  }
}
