package io.onceflow.saga.internal.store;

import static io.onceflow.saga.Limit.running;
import static io.onceflow.saga.Limit.starting;
import static io.onceflow.saga.PlaceOrder.paymentDeclined;
import static io.onceflow.saga.Saga.SagaStatus.COMPENSATED;
import static io.onceflow.saga.Saga.SagaStatus.QUEUED;
import static io.onceflow.saga.Saga.SagaStatus.RUNNING;
import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaView.Hold;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.store.hold.HeldSagas;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several limits of a definition: a place of the key, then one in all, then a turn. */
class SagaQueueTest {

  private static final String OF_ITS_KEY = "2 of its key are running";
  private static final String IN_ALL = "3 are running";

  private final Map<UUID, String> customers = new HashMap<>();
  private final Shop both =
      new Shop(
          PlaceOrder.DEFINITION.limit(running(2).per(this::customer)).limit(running(3).inAll()));
  private final Shop oneEach =
      new Shop(
          PlaceOrder.DEFINITION.limit(running(1).per(this::customer)).limit(running(1).inAll()));
  private final Shop anHour =
      new Shop(
          PlaceOrder.DEFINITION.limit(running(1).inAll()).limit(starting(1, ofHours(1)).inAll()));
  private String customer = "";

  private String customer(PlaceOrder order) {
    return customers.computeIfAbsent(order.id(), id -> customer);
  }

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew("classpath:db/onceflow/inbox");
  }

  /** Seen red without the place in all for one that has got one of its key: four ran. */
  @Test
  void aSagaHasAPlaceOfItsKeyAndOneInAll() throws SQLException {
    List<UUID> ada = place(both, "ada", 4);
    UUID bea = place(both, "bea", 1).getFirst();
    UUID cleo = place(both, "cleo", 1).getFirst();
    assertThat(statuses(both, ada)).containsExactly(RUNNING, RUNNING, QUEUED, QUEUED);
    assertThat(statuses(both, List.of(bea, cleo))).containsExactly(RUNNING, QUEUED);
    assertThat(waits(both, ada.get(2))).containsExactly(OF_ITS_KEY);
    assertThat(waits(both, cleo)).containsExactly(IN_ALL);

    end(both, ada.getFirst());
    assertThat(statuses(both, ada)).containsExactly(COMPENSATED, RUNNING, QUEUED, QUEUED);
    assertThat(statuses(both, List.of(bea, cleo)))
        .as("those with a long queue of their own do not come first")
        .containsExactly(RUNNING, RUNNING);
    assertThat(waits(both, ada.get(2))).containsExactly(OF_ITS_KEY, IN_ALL);
    assertThat(waits(both, ada.get(3))).containsExactly(OF_ITS_KEY);

    end(both, bea);
    assertThat(statuses(both, ada)).containsExactly(COMPENSATED, RUNNING, RUNNING, QUEUED);
    end(both, cleo);
    assertThat(statuses(both, ada)).containsExactly(COMPENSATED, RUNNING, RUNNING, QUEUED);
    end(both, ada.get(1));
    assertThat(statuses(both, ada)).containsExactly(COMPENSATED, COMPENSATED, RUNNING, RUNNING);
  }

  /** Seen red where its place of the key is not given on: the second waited for ever. */
  @Test
  void oneThatIsCancelledInTheQueueLeavesItsKeysPlaceToTheNext() throws SQLException {
    UUID ada = place(oneEach, "ada", 1).getFirst();
    List<UUID> bea = place(oneEach, "bea", 2);
    SagaDatabase.inTransaction(tx -> oneEach.request(tx, bea.getFirst(), cancel()));
    assertThat(statuses(oneEach, bea)).containsExactly(COMPENSATED, QUEUED);

    end(oneEach, ada);
    assertThat(statuses(oneEach, bea)).containsExactly(COMPENSATED, RUNNING);
    end(oneEach, bea.getLast());
    assertThat(SagaDatabase.count("SELECT count(*) FROM saga_place")).isZero();
  }

  /** Seen red where its place of the key is not given on. */
  @Test
  void oneIsCancelledInTheQueueWhileAnotherEnds() throws Exception {
    UUID ada = place(oneEach, "ada", 1).getFirst();
    List<UUID> bea = place(oneEach, "bea", 2);
    try (Connection tx = SagaDatabase.begin();
        ExecutorService replica = Executors.newSingleThreadExecutor()) {
      tx.createStatement()
          .execute(
              "SELECT FROM saga_instance WHERE id = '%s' FOR UPDATE".formatted(bea.getFirst()));
      Future<?> end = replica.submit(() -> oneEach.deliver(ada, paymentDeclined()));
      await()
          .until(
              () ->
                  end.isDone()
                      || SagaDatabase.count("SELECT count(*) FROM pg_locks WHERE NOT granted") > 0);
      oneEach.request(tx, bea.getFirst(), cancel());
      tx.commit();
      end.get();
    }
    oneEach.fireDue(10);
    assertThat(statuses(oneEach, bea)).containsExactly(COMPENSATED, RUNNING);
  }

  /** Seen red where one that gets its place takes no turn: it started at once. */
  @Test
  void takesItsTurnWhenItHasItsPlace() throws SQLException {
    List<UUID> placed = place(anHour, "ada", 3);
    assertThat(statuses(anHour, placed)).containsExactly(RUNNING, QUEUED, QUEUED);

    end(anHour, placed.getFirst());
    assertThat(statuses(anHour, placed)).containsExactly(COMPENSATED, QUEUED, QUEUED);
    assertThat(waits(anHour, placed.get(1))).containsExactly("1 is running", "1 start within PT1H");
    assertThat(waits(anHour, placed.get(2))).containsExactly("1 is running");
    int corrected =
        SagaDatabase.inTransaction(tx -> SentAhead.correct(tx, "place-order", ofHours(1)));
    assertThat(corrected).as("times of a clock that was ahead").isZero();

    SagaDatabase.execute(
        "UPDATE saga_instance SET next_action_at = now() WHERE id = '%s'".formatted(placed.get(1)));
    anHour.fireDue(10);
    assertThat(statuses(anHour, placed)).containsExactly(COMPENSATED, RUNNING, QUEUED);
  }

  /** Seen red where its timer is left alone: it was compensated at its deadline. */
  @Test
  void oneThatGetsItsPlaceOnHoldStartsWhenItIsResumed() throws SQLException {
    UUID first = place(oneEach, "ada", 1).getFirst();
    UUID second = place(oneEach, "bea", 1).getFirst();
    Hold hold = new Hold(Instant.now(), "olga", "wait", null, false);
    SagaDatabase.inTransaction(tx -> HeldSagas.hold(tx, List.of(second), hold));
    end(oneEach, first);
    assertThat(statuses(oneEach, List.of(second))).containsExactly(QUEUED);

    SagaDatabase.inTransaction(tx -> HeldSagas.resume(tx, List.of(second), "by olga"));
    oneEach.fireDue(10);
    assertThat(statuses(oneEach, List.of(second))).containsExactly(RUNNING);
  }

  @Test
  void allContinueWhereTheLimitsAreGone() throws SQLException {
    List<UUID> ada = place(oneEach, "ada", 3);
    List<UUID> bea = place(oneEach, "bea", 3);
    Shop unlimited =
        new Shop(
            PlaceOrder.DEFINITION.limit(running(1).per(this::customer)).limit(running(1).inAll()),
            new SagaDefinition<>("place-order", 2, PlaceOrder.DEFINITION.parts()));
    end(unlimited, ada.getFirst());
    assertThat(statuses(unlimited, ada)).containsExactly(COMPENSATED, RUNNING, RUNNING);
    assertThat(statuses(unlimited, bea)).containsExactly(RUNNING, QUEUED, QUEUED);
    end(unlimited, bea.getFirst());
    assertThat(statuses(unlimited, bea)).containsExactly(COMPENSATED, RUNNING, RUNNING);
  }

  private List<UUID> place(Shop shop, String by, int count) throws SQLException {
    customer = by;
    List<UUID> placed = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      placed.add(shop.placeOne());
    }
    return placed;
  }

  private static void end(Shop shop, UUID saga) throws SQLException {
    shop.deliver(saga, paymentDeclined());
    shop.fireDue(10);
  }

  private static SagaEvent.Cancel cancel() {
    return new SagaEvent.Cancel("CANCELLED", "ada", null);
  }

  /** What a saga has waited for. */
  private static List<String> waits(Shop shop, UUID saga) throws SQLException {
    return shop.view(saga).history().stream()
        .filter(line -> line.event().equals("saga-queued"))
        .map(line -> line.detail())
        .toList();
  }

  private static List<SagaStatus> statuses(Shop shop, List<UUID> sagas) throws SQLException {
    List<SagaStatus> all = new ArrayList<>();
    for (UUID saga : sagas) {
      all.add(shop.view(saga).status());
    }
    return all;
  }
}
