package io.onceflow.saga.internal.store.view;

import static io.onceflow.saga.PlaceOrder.paymentDeclined;
import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static io.onceflow.saga.PlaceOrder.shipmentRejected;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.internal.RetryPolicy;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.store.LockedSaga;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.SagaRows;
import io.onceflow.saga.internal.store.Shop;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What operators see of sagas, and what they are told beforehand. */
@Timeout(value = 60, unit = SECONDS)
class SagaListTest {

  private final Shop shop = new Shop(PlaceOrder.DEFINITION);

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew();
  }

  @Test
  void listsSagasPageByPageInTheOrderOfTheirIds() throws SQLException {
    List<UUID> placed =
        shop.place(5).stream().sorted(Comparator.comparing(UUID::toString)).toList();

    List<SagaSummary> first = list(null, null, null, null, 3);
    List<SagaSummary> second = list(null, null, null, first.getLast().id(), 3);

    assertThat(first).extracting(SagaSummary::id).isEqualTo(placed.subList(0, 3));
    assertThat(second).extracting(SagaSummary::id).isEqualTo(placed.subList(3, 5));
  }

  @Test
  void tellsOfEachHowItStands() throws SQLException {
    UUID declined = shop.placeOne();
    UUID order = shop.sent.getFirst().subjectId();
    shop.deliver(declined, paymentDeclined());

    SagaSummary summary = list(null, null, null, null, 10).getFirst();

    assertThat(summary.id()).isEqualTo(declined);
    assertThat(summary.definition()).isEqualTo("place-order");
    assertThat(summary.version()).isEqualTo(1);
    assertThat(summary.subjectId()).isEqualTo(order);
    assertThat(summary.status()).isEqualTo(SagaStatus.COMPENSATED);
    assertThat(summary.reason()).isEqualTo("PAYMENT_DECLINED");
    assertThat(summary.nextActionAt()).isNull();
    assertThat(summary.endedAt()).isNotNull();
  }

  @Test
  void narrowsByStatusDefinitionAndAge() throws SQLException {
    UUID running = shop.placeOne();
    UUID compensating = compensating();
    UUID ended = shop.placeOne();
    shop.deliver(ended, paymentDeclined());
    SagaDatabase.execute(
        "UPDATE saga_instance SET started_at = now() - interval '61 min' WHERE id = '%s'"
            .formatted(running));

    assertThat(ids(SagaStatus.RUNNING, null, null)).containsExactly(running);
    assertThat(ids(SagaStatus.COMPENSATING, null, null)).containsExactly(compensating);
    assertThat(ids(SagaStatus.COMPENSATED, null, null)).containsExactly(ended);
    assertThat(ids(SagaStatus.STUCK, null, null)).isEmpty();
    assertThat(ids(null, null, Duration.ofHours(1))).containsExactly(running);
    assertThat(ids(null, "place-order", null)).hasSize(3);
    assertThat(ids(null, "return-order", null)).isEmpty();
  }

  @Test
  void countsWhatIsUnderWayUpToABoundAndNotWhatIsStuck() throws SQLException {
    shop.place(3);
    shop.deliver(shop.placeOne(), paymentDeclined());
    assertThat(underWay(10)).isEqualTo(3);
    assertThat(underWay(2)).isEqualTo(2);

    compensating();
    assertThat(underWay(10)).isEqualTo(4);
    SagaDatabase.inTransaction(
        tx -> {
          try (var stuck = tx.createStatement()) {
            return stuck.executeUpdate(
                "UPDATE saga_instance SET status = 'STUCK' WHERE status = 'COMPENSATING'");
          }
        });
    assertThat(underWay(10)).isEqualTo(3);
  }

  @Test
  void countsNothingAsUnderWayThatWaitsForTheWorldOutside() throws SQLException {
    shop.place(3);
    UUID awaiting = shop.placeOne();
    assertThat(underWay(10)).isEqualTo(4);

    SagaDatabase.inTransaction(
        tx -> {
          try (var later =
              tx.prepareStatement(
                  "UPDATE saga_instance SET next_action_at = now() + interval '2 days' WHERE id = ?")) {
            later.setObject(1, awaiting);
            return later.executeUpdate();
          }
        });

    assertThat(underWay(10)).isEqualTo(3);
    assertThat(
            SagaDatabase.inTransaction(
                    tx -> OpenSagas.underWay(tx, new OpenTimers(SagaDatabase.source()), 10, 1))
                .all())
        .isEqualTo(3);
  }

  private static long underWay(long most) throws SQLException {
    return SagaDatabase.inTransaction(
        tx -> OpenSagas.underWay(tx, new OpenTimers(SagaDatabase.source()), most, most).all());
  }

  @Test
  void tellsOnceThatASagaBecameStuckAndOnWhat() throws SQLException {
    UUID saga = compensating();
    for (int attempt = 1; attempt < RetryPolicy.DEFAULT.stuckAfter(); attempt++) {
      Shop.passDeadlines();
      assertThat(fireDueAndSeeWhoIsStuck()).isEmpty();
    }
    Shop.passDeadlines();
    assertThat(fireDueAndSeeWhoIsStuck()).containsExactly(saga + " on process-payment");

    Shop.passDeadlines();
    assertThat(fireDueAndSeeWhoIsStuck()).as("told once").isEmpty();
    assertThat(shop.view(saga).status()).isEqualTo(SagaStatus.STUCK);
  }

  @Test
  void foreseesWhatItWouldAnswerAndChangesNothing() throws SQLException {
    UUID running = shop.placeOne();
    UUID ended = shop.placeOne();
    shop.deliver(ended, paymentDeclined());
    SagaView before = shop.view(running);

    assertThat(foresee(running)).isInstanceOf(OperatorAnswer.Done.class);
    assertThat(foresee(ended))
        .isInstanceOfSatisfying(
            OperatorAnswer.Refused.class,
            refused -> assertThat(refused.why()).isEqualTo("it has ended as COMPENSATED"));
    assertThat(shop.view(running)).isEqualTo(before);
  }

  private UUID compensating() throws SQLException {
    UUID saga = shop.placeOne();
    shop.deliver(saga, paymentProcessed(), shipmentRejected());
    return saga;
  }

  private List<String> fireDueAndSeeWhoIsStuck() throws SQLException {
    return SagaDatabase.inTransaction(
        tx -> {
          List<LockedSaga<PlaceOrder>> due = shop.sagas.fireDue(Shop.in(tx), 10);
          assertThat(due).hasSize(1);
          return due.stream()
              .flatMap(it -> it.becameStuck().map(on -> it.state().id() + " on " + on).stream())
              .toList();
        });
  }

  private OperatorAnswer foresee(UUID saga) throws SQLException {
    return SagaDatabase.inTransaction(
        tx ->
            shop.reads.foresee(
                SagaRows.read(tx, Set.of(saga)).getFirst(), new SagaEvent.Retry("olga", null)));
  }

  private static List<UUID> ids(
      @Nullable SagaStatus status, @Nullable String definition, @Nullable Duration age)
      throws SQLException {
    return list(status, definition, age, null, 10).stream().map(SagaSummary::id).toList();
  }

  private static List<SagaSummary> list(
      @Nullable SagaStatus status,
      @Nullable String definition,
      @Nullable Duration age,
      @Nullable UUID after,
      int limit)
      throws SQLException {
    return Wanted.find(
        Wanted.any()
            .with("status", status)
            .with("definition", definition)
            .with("olderThan", age)
            .page(new SagaFilter.Page(after, false, limit)));
  }
}
