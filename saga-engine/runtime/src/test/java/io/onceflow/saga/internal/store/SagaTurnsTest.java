package io.onceflow.saga.internal.store;

import static io.onceflow.saga.Limit.starting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Sagas.SagaStart;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A limit of starts in a time: the others wait for their turns, half an hour apart here. */
class SagaTurnsTest {

  private static final Duration HALF = Duration.ofMinutes(30);
  private static final String WAITS = "SELECT count(*) FROM pg_locks WHERE NOT granted";

  private final Shop shop =
      new Shop(PlaceOrder.DEFINITION.limit(starting(2, Duration.ofHours(1)).inAll()));

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew();
  }

  @Test
  void startsSoManyAtOnceAndTheOthersWhenTheirTurnsCome() throws SQLException {
    List<UUID> placed = shop.place(4);
    assertThat(statuses(placed))
        .containsExactly(
            SagaStatus.RUNNING, SagaStatus.RUNNING, SagaStatus.QUEUED, SagaStatus.QUEUED);
    assertThat(shop.heard()).hasSize(2);
    assertThat(shop.view(placed.getLast()).history())
        .singleElement()
        .satisfies(line -> assertThat(line.detail()).isEqualTo("2 start within PT1H"));
    assertThat(wait(placed.get(2))).isBetween(HALF.minusMinutes(9), HALF);
    assertThat(wait(placed.get(3))).isEqualTo(wait(placed.get(2)).plus(HALF));

    assertThat(shop.fireDue(10)).as("nothing polls").isEmpty();
    comes(placed.get(2));
    shop.fireDue(10);
    assertThat(statuses(placed))
        .containsExactly(
            SagaStatus.RUNNING, SagaStatus.RUNNING, SagaStatus.RUNNING, SagaStatus.QUEUED);
    assertThat(shop.heard()).hasSize(1);
  }

  @Test
  void countsTheStartsOfOtherTransactions() throws SQLException {
    List<UUID> placed = List.of(shop.placeOne(), shop.placeOne(), shop.placeOne());
    assertThat(statuses(placed))
        .containsExactly(SagaStatus.RUNNING, SagaStatus.RUNNING, SagaStatus.QUEUED);
    assertThat(wait(placed.getLast())).isBetween(HALF.minusMinutes(9), HALF);
  }

  @Test
  void countsWhatAnotherReplicaHasStartedAndNotCommitted() throws Exception {
    Shop one = new Shop(PlaceOrder.DEFINITION.limit(starting(1, HALF).inAll()));
    PlaceOrder order = new PlaceOrder(UUID.randomUUID(), List.of(), false, null);
    SagaStart<PlaceOrder> start =
        new SagaStart<>(order, "alice", new IdempotencyKey("key-" + order.id()), null);
    try (Connection tx = SagaDatabase.begin();
        ExecutorService replica = Executors.newSingleThreadExecutor()) {
      one.sagas.start(Shop.in(tx), List.of(start), List.of(UUID.randomUUID()));
      Future<UUID> second = replica.submit(one::placeOne);
      await().until(() -> second.isDone() || SagaDatabase.count(WAITS) > 0);
      tx.commit();
      assertThat(one.view(second.get()).status()).isEqualTo(SagaStatus.QUEUED);
    }
  }

  @Test
  void keysDoNotWaitForEachOther() throws SQLException {
    Shop perOrder = new Shop(PlaceOrder.DEFINITION.limit(starting(1, HALF).per(PlaceOrder::id)));
    for (UUID saga : perOrder.place(4)) {
      assertThat(perOrder.view(saga).status()).isEqualTo(SagaStatus.RUNNING);
    }
  }

  /** Red where a turn is what a timer that fires means to a saga that is queued. */
  @Test
  void isCompensatedAtItsDeadlineAndSendsNothing() throws SQLException {
    UUID last = shop.place(3).getLast();
    shop.heard();
    SagaDatabase.execute(
        "UPDATE saga_instance SET deadline_at = now(), next_action_at = now() WHERE id = '%s'"
            .formatted(last));
    shop.fireDue(10);
    assertThat(shop.view(last).status()).isEqualTo(SagaStatus.COMPENSATED);
    assertThat(shop.heard()).isEmpty();
  }

  /** Red where what is taken is not dated: the next one waited for a day. */
  @Test
  void aClockThatWasAheadLeavesNothingTaken() throws SQLException {
    shop.place(2);
    SagaDatabase.execute(
        """
        UPDATE saga_start_rate
        SET    free_at = free_at + interval '1 day',
               taken_at = taken_at + interval '1 day'
        """);
    assertThat(wait(shop.placeOne())).isLessThan(Duration.ofHours(1));
  }

  private List<SagaStatus> statuses(List<UUID> sagas) throws SQLException {
    List<SagaStatus> all = new ArrayList<>();
    for (UUID saga : sagas) {
      all.add(shop.view(saga).status());
    }
    return all;
  }

  private static Duration wait(UUID saga) throws SQLException {
    return Duration.ofMillis(
        SagaDatabase.count(
            """
            SELECT round(extract(epoch FROM next_action_at - started_at))::bigint * 1000
            FROM   saga_instance
            WHERE  id = '%s'
            """
                .formatted(saga)));
  }

  private static void comes(UUID saga) throws SQLException {
    SagaDatabase.execute(
        "UPDATE saga_instance SET next_action_at = now() WHERE id = '%s'".formatted(saga));
  }
}
