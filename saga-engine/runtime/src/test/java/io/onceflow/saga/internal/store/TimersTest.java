package io.onceflow.saga.internal.store;

import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static io.onceflow.saga.PlaceOrder.shipmentArranged;
import static io.onceflow.saga.PlaceOrder.shipmentRejected;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.store.view.OpenSagas;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = SECONDS)
class TimersTest {

  private final Shop shop = new Shop(PlaceOrder.DEFINITION);

  /** Another replica, whose commands have gained a field. */
  private final Shop newer = new Shop(payload -> payload + " and more", PlaceOrder.DEFINITION);

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew();
  }

  @Test
  void sendsNothingAgainBeforeItsDeadline() throws SQLException {
    shop.placeOne();
    shop.heard();

    assertThat(shop.fireDue(10)).isEmpty();
    assertThat(shop.heard()).isEmpty();
  }

  @Test
  void sendsTheSameCommandAgainUnderTheSameKeyWhenItsDeadlinePassed() throws SQLException {
    UUID saga = shop.placeOne();
    Shop.Sent first = shop.sent.getFirst();
    shop.heard();
    Shop.passDeadlines();

    assertThat(shop.fireDue(10)).extracting(SagaState::id).containsExactly(saga);

    assertThat(shop.sent).containsExactly(first);
    assertThat(shop.view(saga).steps().getFirst().attempts()).isEqualTo(2);
    assertThat(shop.fireDue(10)).as("once per deadline").isEmpty();
  }

  /** So that an idle replica need not sweep. */
  @Test
  void saysOfAllDefinitionsWhetherATimerFellDueLately() throws SQLException {
    assertThat(mayBeDue(60)).isFalse();
    shop.placeOne();
    assertThat(mayBeDue(60)).as("it is yet to fall due").isFalse();
    SagaDatabase.execute("UPDATE saga_instance SET next_action_at = now() + interval '4 s'");
    assertThat(mayBeDue(60)).as("it will soon").isTrue();
    SagaDatabase.execute("UPDATE saga_instance SET next_action_at = now() - interval '30 s'");
    assertThat(mayBeDue(60)).isTrue();
    assertThat(mayBeDue(15)).as("for longer than that").isFalse();
  }

  private static boolean mayBeDue(int seconds) throws SQLException {
    return SagaDatabase.inTransaction(
        tx ->
            OpenSagas.mayBeDue(
                tx,
                List.of("another", PlaceOrder.DEFINITION.name()),
                Duration.ofSeconds(seconds),
                Duration.ofSeconds(5)));
  }

  /** Seen red: newer code sent its own rendering, which participants park as a mismatch. */
  @Test
  void sendsAgainWhatWasRenderedFirstEvenByCodeThatRendersMore() throws SQLException {
    UUID saga = shop.placeOne();
    Shop.Rendered first = shop.sent.getFirst().command();

    assertThat(sentAgainBy(newer)).containsExactly(first);

    newer.deliver(saga, paymentProcessed(), shipmentRejected());
    Shop.Rendered compensation = newer.sent.getLast().command();
    assertThat(compensation.name()).isEqualTo("refund-payment");
    assertThat(compensation.payload()).as("first sent by the newer code").endsWith("and more");
    assertThat(sentAgainBy(shop)).containsExactly(compensation);
  }

  /** The two have one place in the row. */
  @Test
  void takesNoCommandOfAStepForThatOfItsCompensation() throws SQLException {
    UUID saga = shop.placeOne();
    shop.deliver(saga, paymentProcessed(), shipmentRejected());
    SagaDatabase.execute(
        """
        UPDATE saga_instance
        SET    steps = jsonb_set(steps::jsonb, '{0,command,name}', '"process-payment"')::json
        WHERE  steps #>> '{0,command,name}' = 'refund-payment'
        """);

    assertThat(sentAgainBy(shop)).extracting(Shop.Rendered::type).containsExactly("RefundPayment");
  }

  @Test
  void keepsACommandOnlyAsLongAsItMayBeSentAgain() throws SQLException {
    UUID saga = shop.placeOne();
    assertThat(SagaDatabase.count("SELECT count(command_payload) FROM saga_step")).isEqualTo(1);

    shop.deliver(saga, paymentProcessed(), shipmentArranged());

    assertThat(SagaDatabase.count("SELECT count(command_payload) FROM saga_step")).isZero();
  }

  private static List<Shop.Rendered> sentAgainBy(Shop replica) throws SQLException {
    replica.heard();
    Shop.passDeadlines();
    replica.fireDue(10);
    return replica.sent.stream().map(Shop.Sent::command).toList();
  }

  @Test
  void waitsLongerAfterEachTimeByTheDatabasesClock() throws SQLException {
    UUID saga = shop.placeOne();
    Shop.passDeadlines();
    shop.fireDue(10);
    Shop.passDeadlines();
    SagaState fired = shop.fireDue(10).getFirst();

    Instant sentAt = fired.step("process-payment").orElseThrow().sentAt();
    assertThat(Duration.between(sentAt, fired.nextActionAt()))
        .isBetween(Duration.ofSeconds(40), Duration.ofSeconds(48));
    assertThat(shop.view(saga).nextActionAt()).isEqualTo(fired.nextActionAt());
  }

  @Test
  void sendsACompensationAgain() throws SQLException {
    UUID saga = shop.placeOne();
    shop.deliver(saga, paymentProcessed(), shipmentRejected());
    shop.heard();
    Shop.passDeadlines();

    shop.fireDue(10);

    assertThat(shop.heard()).containsExactly("refund-payment");
    assertThat(shop.view(saga).steps().getFirst().compensation().attempts()).isEqualTo(2);
  }

  @Test
  void takesNoMoreThanItsLimitAndTheLongestDueFirst() throws SQLException {
    List<UUID> sagas = shop.place(3);
    Shop.passDeadlines();
    SagaDatabase.execute(
        "UPDATE saga_instance SET next_action_at = now() - interval '1 min' WHERE id = '%s'"
            .formatted(sagas.get(1)));

    assertThat(shop.fireDue(1)).extracting(SagaState::id).containsExactly(sagas.get(1));
    assertThat(shop.fireDue(10)).hasSize(2);
  }

  @Test
  void replicasPassEachOtherBy() throws SQLException {
    List<UUID> sagas = shop.place(10);
    Shop.passDeadlines();

    try (Connection here = SagaDatabase.begin();
        Connection there = SagaDatabase.begin()) {
      Set<UUID> fired = ids(states(shop.sagas.fireDue(Shop.in(here), 4)));
      Set<UUID> firedThere = ids(states(shop.sagas.fireDue(Shop.in(there), 10)));
      assertThat(fired).hasSize(4).doesNotContainAnyElementsOf(firedThere);
      assertThat(firedThere).hasSize(6);
      here.commit();
      there.rollback();
    }
    assertThat(ids(shop.fireDue(10))).as("what a crashed replica held").hasSize(6);
    assertThat(shop.fireDue(10)).isEmpty();
    assertThat(sagas).hasSize(10);
  }

  @Test
  void leavesTheSagasOfOtherDefinitionsToTheirRunners() throws SQLException {
    Shop returns = new Shop(new SagaDefinition<>("return-order", 1, PlaceOrder.DEFINITION.steps()));
    returns.placeOne();
    Shop.passDeadlines();

    try (Connection tx = SagaDatabase.begin()) {
      SagaStore store = new PostgresSagaStore(SagaDatabase.source());
      assertThat(store.due(tx, "place-order", Set.of(1), 10).ids()).isEmpty();
      assertThat(store.due(tx, "return-order", Set.of(2), 10).ids()).isEmpty();
      assertThat(shop.sagas.fireDue(Shop.in(tx), 10)).isEmpty();
    }
    assertThat(returns.fireDue(10)).hasSize(1);
  }

  private static List<SagaState> states(List<LockedSaga<PlaceOrder>> sagas) {
    return sagas.stream().map(LockedSaga::state).toList();
  }

  private static Set<UUID> ids(List<SagaState> sagas) {
    Set<UUID> ids = new HashSet<>();
    sagas.forEach(saga -> ids.add(saga.id()));
    return ids;
  }
}
