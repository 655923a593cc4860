package io.onceflow.saga.internal.repair;

import static io.onceflow.saga.PlaceOrder.done;
import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static io.onceflow.saga.PlaceOrder.paymentRefunded;
import static io.onceflow.saga.PlaceOrder.shipmentArranged;
import static io.onceflow.saga.PlaceOrder.shipmentRejected;
import static io.onceflow.saga.SagaDefinition.step;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.Step;
import io.onceflow.saga.Step.OutgoingCommand;
import io.onceflow.saga.internal.operators.SagaDetails;
import io.onceflow.saga.internal.operators.SagaFilterReader;
import io.onceflow.saga.internal.repair.Repair.Done;
import io.onceflow.saga.internal.repair.Repair.FailureReason;
import io.onceflow.saga.internal.store.CountedShop;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import io.onceflow.saga.internal.store.view.SagaFilter;
import io.onceflow.sql.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sagas in flight that a repair has follow another version, and back. */
@Timeout(value = 120, unit = SECONDS)
class MigrationRepairTest {

  private static final SagaDefinition<PlaceOrder> FIRST = PlaceOrder.DEFINITION;

  /** Orders are checked before they are paid, and insured before they are confirmed. */
  private static final SagaDefinition<PlaceOrder> SECOND =
      new SagaDefinition<>(
              "place-order",
              2,
              List.of(
                  ask("check-fraud"),
                  FIRST.parts().getFirst(),
                  FIRST.parts().get(1),
                  ask("insure-shipment"),
                  FIRST.parts().getLast()))
          .migrates(1, it -> it.skip("check-fraud"));

  private final RepairFixture fixture = new RepairFixture();
  private final Shop before = new Shop(FIRST);
  private final Shop shop = new Shop(id -> "\"of a newer build\"", FIRST, SECOND);

  private static Step.Send<PlaceOrder> ask(String name) {
    return step(name).send((PlaceOrder order) -> new OutgoingCommand("Ask", "ask", order.id()));
  }

  @BeforeAll
  static void makeTables() {
    RepairFixture.makeTables();
  }

  @BeforeEach
  void emptyTables() throws SQLException {
    RepairFixture.empty();
  }

  @Test
  void aReplyComesAfterTheMigrationAndNothingIsTakenTwiceOrLost() throws SQLException {
    UUID paying = before.placeOne();
    UUID shipping = before.placeOne();
    before.deliver(shipping, paymentProcessed());
    UUID undone = before.placeOne();
    before.deliver(undone, paymentProcessed(), shipmentRejected());
    Map<String, String> keys = keysOf(before);

    UUID repair = migrate(of(1, null), 2, SECOND);

    assertThat(fixture.done(repair)).isEqualTo(new Done(0, 3, 0, 0, 0));
    assertThat(shop.view(paying).history())
        .extracting(SagaView.Entry::event, SagaView.Entry::detail)
        .contains(
            tuple(
                "saga-migrated",
                "from version 1 to 2, by olga: repair %s: it is better".formatted(repair)));
    Shop.passDeadlines();
    shop.fireDue(10);
    assertThat(keys)
        .as("what is resent has its key and its payload")
        .containsAllEntriesOf(keysOf(shop));
    assertThat(shop.heard())
        .containsExactlyInAnyOrder("process-payment", "arrange-shipment", "refund-payment");

    shop.deliver(paying, paymentProcessed(), paymentProcessed(), shipmentArranged());
    shop.deliver(paying, done("insure-shipment"));
    shop.deliver(shipping, shipmentArranged(), done("insure-shipment"));
    shop.deliver(undone, paymentRefunded());

    assertThat(standing(paying, shipping, undone))
        .containsExactly("COMPLETED v2", "COMPLETED v2", "COMPENSATED v2");
    assertThat(firstSends())
        .isEqualTo(
            Map.of(
                "command-sent process-payment", 3,
                "command-sent arrange-shipment", 3,
                "command-sent insure-shipment", 2,
                "compensation-sent process-payment", 1));
  }

  @Test
  void isUndoneForTheSagasOfTheRepairUnlessSomethingNewWasDone() throws SQLException {
    UUID still = before.placeOne();
    UUID moved = before.placeOne();
    UUID insured = before.placeOne();
    UUID there = migrate(of(1, null), 2, SECOND);
    UUID started = shop.placeOne();
    shop.deliver(moved, paymentProcessed());
    shop.deliver(insured, paymentProcessed(), shipmentArranged());

    UUID back = migrate(of(2, there), 1, SECOND);

    assertThat(fixture.sagas(back, RepairOutcome.REPAIRED))
        .extracting(Repair.RepairedSaga::saga)
        .containsExactlyInAnyOrder(still, moved);
    assertThat(fixture.read(back).failureReasons())
        .containsExactly(
            new FailureReason("insure-shipment is under way, and version 1 has no such step", 1));
    assertThat(standing(still, moved, insured, started))
        .containsExactly("RUNNING v1", "RUNNING v1", "RUNNING v2", "RUNNING v2");
    before.deliver(moved, shipmentArranged());
    assertThat(standing(moved)).containsExactly("COMPLETED v1");
    assertThat(audited()).contains("migrate to version 2 of ", "migrate to version 1 of ");
  }

  @Test
  void previewsAllSagasAndMigratesOnlyTheFirstThatCanBe() throws SQLException {
    SagaDefinition<PlaceOrder> withoutShipment =
        new SagaDefinition<>(
                "place-order", 2, List.of(FIRST.parts().getFirst(), FIRST.parts().getLast()))
            .migrates(1);
    CountedShop counted = new CountedShop(withoutShipment, FIRST);
    before.place(502);
    UUID shipping = before.placeOne();
    before.deliver(shipping, paymentProcessed());
    RepairPreview preview =
        new RepairPreview(counted.unitOfWork, counted.sagas, token -> Map.of(), fixture.json);
    NewRepair repair = repair(of(1, null), 2);
    SagaFilter filter = SagaFilterReader.read(repair.filter());

    RepairForecast forecast = preview.of(repair, filter, new byte[32], "");
    List<UUID> some = preview.allowed(repair, filter, 2);
    UUID started = fixture.repairs().start(repair, filter, some, "olga").id();
    fixture.takeTurns(replica(counted), started);

    assertThat(forecast.allowed()).isEqualTo(502);
    assertThat(forecast.reasons())
        .containsExactly(
            new FailureReason("arrange-shipment is under way, and version 2 has no such step", 1));
    assertThat(forecast.samples().getFirst().saga()).isEqualTo(shipping);
    assertThat(some).hasSize(2).doesNotContain(shipping);
    assertThat(fixture.done(started)).isEqualTo(new Done(0, 2, 0, 0, 0));
  }

  private static Map<String, Object> of(int version, @Nullable UUID repair) {
    Map<String, Object> filter = new HashMap<>();
    filter.put("definition", "place-order");
    filter.put("version", version);
    filter.put("open", true);
    if (repair != null) {
      filter.put("repair", repair);
    }
    return filter;
  }

  private static NewRepair repair(Map<String, Object> filter, int version) {
    return new NewRepair(
        SagaDetails.Kind.MIGRATE, filter, "it is better", null, 1000, version, null, false);
  }

  private UUID migrate(Map<String, Object> filter, int version, SagaDefinition<PlaceOrder> newest)
      throws SQLException {
    UUID repair = fixture.start(repair(filter, version));
    fixture.takeTurns(replica(new CountedShop(newest, FIRST)), repair);
    return repair;
  }

  private RepairTimer replica(CountedShop application) {
    return fixture.replica(
        (tx, saga, due) -> due.action().carryOut(tx, application.sagas, saga, due.asked()));
  }

  private List<String> standing(UUID... sagas) throws SQLException {
    List<String> all = new ArrayList<>();
    for (UUID saga : sagas) {
      SagaView view = shop.view(saga);
      all.add("%s v%s".formatted(view.status(), view.version()));
    }
    return all;
  }

  /** The root keys of what was sent, of which step keys consist with the names, and payloads. */
  private static Map<String, String> keysOf(Shop sender) {
    Map<String, String> keys = new HashMap<>();
    sender.sent.forEach(
        it ->
            keys.put(
                it.sagaId() + " " + it.command().name(),
                it.rootKey() + " " + it.command().payload()));
    return keys;
  }

  private static Map<String, Integer> firstSends() throws SQLException {
    String sends =
        """
        SELECT   event || ' ' || step AS sent, count(*)::int AS times
        FROM     saga_history
        WHERE    event IN ('command-sent', 'compensation-sent')
        GROUP BY event, step
        """;
    Map<String, Integer> all = new HashMap<>();
    SagaDatabase.inTransaction(
        tx -> Sql.query(tx, sends, row -> all.put(row.text("sent"), row.integer("times"))));
    return all;
  }

  private static String audited() throws SQLException {
    return SagaDatabase.inTransaction(
        tx ->
            Sql.query(
                    tx,
                    "SELECT string_agg(detail, '; ' ORDER BY seq) AS details FROM operator_audit",
                    row -> String.valueOf(row.text("details")))
                .getFirst());
  }
}
