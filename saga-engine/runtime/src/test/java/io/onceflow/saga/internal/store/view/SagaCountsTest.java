package io.onceflow.saga.internal.store.view;

import static io.onceflow.saga.PlaceOrder.paymentDeclined;
import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static io.onceflow.saga.PlaceOrder.shipmentRejected;
import static io.onceflow.saga.internal.store.view.Wanted.any;
import static io.onceflow.saga.internal.store.view.Wanted.found;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the overview counts of the sagas that have not ended. */
@Timeout(value = 60, unit = SECONDS)
class SagaCountsTest {

  private final Shop shop = new Shop(PlaceOrder.DEFINITION);
  private final OpenTimers timers = new OpenTimers(SagaDatabase.source(), List.of("place-order"));

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew();
  }

  @Test
  void eachOpenSagaIsCountedByItsStatusAndEndedOnesAreNot() throws SQLException {
    shop.place(3);
    shop.deliver(shop.placeOne(), paymentProcessed(), shipmentRejected());
    shop.deliver(shop.placeOne(), paymentDeclined());

    assertThat(open().with(SagaStatus.RUNNING)).isEqualTo(3);
    assertThat(open().with(SagaStatus.COMPENSATING)).isEqualTo(1);
    assertThat(open().with(SagaStatus.STUCK)).isZero();
    assertThat(open().all()).isEqualTo(4);
  }

  @Test
  void theyAreCountedByTheirVersions() throws SQLException {
    UUID running = shop.placeOne();
    UUID compensating = shop.placeOne();
    shop.deliver(compensating, paymentProcessed(), shipmentRejected());
    set(shop.placeOne(), "version = 2");

    assertThat(open().versions())
        .extracting(OpenSagas.Version::version, OpenSagas.Version::count)
        .containsExactly(tuple(1, 2L), tuple(2, 1L));
    assertThat(open().versions().getFirst().example()).isIn(running, compensating);
  }

  @Test
  void thoseInQuarantineAndThoseThatNobodyServesAreToldApart() throws SQLException {
    UUID quarantined = shop.placeOne();
    UUID late = shop.placeOne();
    UUID pastDeadline = shop.placeOne();
    shop.placeOne();
    set(quarantined, "next_action_at = 'infinity', quarantined_at = now()");
    set(late, "next_action_at = now() - interval '11 s'");
    set(pastDeadline, "deadline_at = now() - interval '1 min'");

    assertThat(open().all()).isEqualTo(4);
    assertThat(open().quarantined()).isEqualTo(1);
    assertThat(open().overdue()).isEqualTo(2);
    assertThat(open().mostOverdueSeconds()).isBetween(11.0, 60.0);
  }

  @Test
  void eachKindSaysSinceWhenThereAreSuchSagas() throws SQLException {
    Instant hourAgo = Instant.now().minusSeconds(3600).truncatedTo(ChronoUnit.SECONDS);
    set(
        shop.placeOne(),
        "status = 'STUCK', deadline_at = NULL, started_at = '%s'".formatted(hourAgo));
    set(
        shop.placeOne(),
        "next_action_at = 'infinity', quarantined_at = '%s'".formatted(hourAgo.plusSeconds(1)));
    set(
        shop.placeOne(),
        "hold = '{\"since\": \"%s\", \"by\": \"olga\"}'".formatted(hourAgo.plusSeconds(2)));
    set(shop.placeOne(), "next_action_at = '%s'".formatted(hourAgo.plusSeconds(3)));

    assertThat(open().since())
        .isEqualTo(
            new SagaCounts.Since(
                hourAgo, hourAgo.plusSeconds(1), hourAgo.plusSeconds(2), hourAgo.plusSeconds(3)));
  }

  @Test
  void theyAreCountedByTheStepThatTheyWaitForInBothDirections() throws SQLException {
    List<UUID> paying = shop.place(2);
    shop.deliver(shop.placeOne(), paymentProcessed());
    shop.deliver(shop.placeOne(), paymentProcessed(), shipmentRejected());
    set(paying.getFirst(), "started_at = now() - interval '1 h'");

    List<SagaCounts.AtStep> steps = byStep();

    assertThat(steps)
        .extracting(SagaCounts.AtStep::step, SagaCounts.AtStep::direction, SagaCounts.AtStep::count)
        .containsExactly(
            tuple("arrange-shipment", "forward", 1),
            tuple("process-payment", "backward", 1),
            tuple("process-payment", "forward", 2));
    assertThat(steps)
        .allMatch(it -> it.definition().equals("place-order") && it.version() == 1)
        .last()
        .satisfies(it -> assertThat(it.oldestAgeMs()).isBetween(3_600_000L, 3_660_000L));
  }

  /** Before: "24 back" led to one, since 23 of them were stuck. */
  @Test
  void eachNumberOfTheOverviewIsThatOfTheListWithTheSameFilter() throws SQLException {
    shop.place(3);
    shop.deliver(shop.placeOne(), paymentProcessed());
    List<UUID> refunding = List.of(shop.placeOne(), shop.placeOne());
    for (UUID saga : refunding) {
      shop.deliver(saga, paymentProcessed(), shipmentRejected());
    }
    shop.deliver(shop.placeOne(), paymentDeclined());
    set(refunding.getFirst(), "status = 'STUCK'");
    set(shop.placeOne(), "next_action_at = 'infinity', quarantined_at = now()");

    SagaCounts open = open();

    assertThat(found(any().with("open", "true"))).hasSize((int) open.all());
    assertThat(found(any().with("quarantined", "true"))).hasSize((int) open.quarantined());
    long sum = open.quarantined();
    for (SagaStatus status :
        List.of(SagaStatus.RUNNING, SagaStatus.COMPENSATING, SagaStatus.STUCK)) {
      assertThat(found(any().with("status", status).with("quarantined", "false")))
          .hasSize((int) open.handled(status));
      sum += open.handled(status);
    }
    assertThat(sum).isEqualTo(open.all());
    assertThat(waits().steps()).hasSize(3);
    for (SagaCounts.AtStep each : waits().steps()) {
      Wanted list = any().with("step", each.step()).with("direction", each.direction());
      assertThat(found(list)).as(each.toString()).hasSize(each.count());
    }
  }

  /** Each number is that of the list that its link leads to. */
  @Test
  void theyAreCountedByTheParticipantThatTheyWaitFor() throws SQLException {
    shop.place(2);
    shop.deliver(shop.placeOne(), paymentProcessed());
    shop.deliver(shop.placeOne(), paymentProcessed(), shipmentRejected());
    shop.deliver(shop.placeOne(), paymentDeclined());

    List<SagaCounts.ForCommands> commands = waits().commands();

    assertThat(commands)
        .extracting(SagaCounts.ForCommands::command, SagaCounts.ForCommands::sagas)
        .containsExactly(tuple("payment", 3), tuple("shipping", 1));
    for (SagaCounts.ForCommands each : commands) {
      assertThat(found(any().with("command", each.command()))).hasSize(each.sagas());
    }
    assertThat(found(any().with("command", "payment.refund"))).hasSize(1);
    assertThat(found(any().with("open", "true"))).hasSize((int) open().all());
    assertThat(found(any().with("open", "false"))).hasSize(1);
  }

  /**
   * The planner is free to scan here, and there are enough ended ones for it to think of it. With
   * millions it would, if it expected a good part of them to be open.
   */
  @Test
  void endedSagasAreNotRead() throws SQLException {
    shop.place(20);
    ended(20_000);
    SagaDatabase.execute("ANALYZE saga_instance");

    for (String query :
        List.of(SagaCounts.OPEN, SagaCounts.BY_STEP.replace("LIMIT  ?", "LIMIT  20000"))) {
      List<String> plan =
          SagaDatabase.inTransaction(
              tx -> {
                Sql.update(tx, "SET LOCAL enable_seqscan = on");
                return Sql.query(
                    tx,
                    "EXPLAIN " + query,
                    row -> row.text("QUERY PLAN"),
                    Column.texts(List.of("place-order")),
                    Column.times(List.of(Instant.now().minusSeconds(3600)), it -> it));
              });

      assertThat(plan)
          .anyMatch(line -> line.contains("saga_instance_due"))
          .noneMatch(line -> line.contains("Seq Scan on saga"))
          .filteredOn(line -> line.contains("saga_instance_due"))
          .allSatisfy(line -> assertThat(expectedRows(line)).isLessThan(1_000));
    }
  }

  private SagaCounts open() throws SQLException {
    return SagaDatabase.inTransaction(tx -> SagaCounts.open(tx, timers));
  }

  private List<SagaCounts.AtStep> byStep() throws SQLException {
    return waits().steps();
  }

  private SagaCounts.Waits waits() throws SQLException {
    return SagaDatabase.inTransaction(tx -> SagaCounts.waits(tx, timers));
  }

  private static void set(UUID saga, String change) throws SQLException {
    SagaDatabase.execute("UPDATE saga_instance SET %s WHERE id = '%s'".formatted(change, saga));
  }

  private static long expectedRows(String lineOfPlan) {
    return Long.parseLong(lineOfPlan.replaceFirst(".* rows=(\\d+) .*", "$1"));
  }

  private static void ended(int count) throws SQLException {
    SagaDatabase.execute(
        """
        INSERT INTO saga_instance (id, definition, version, subject_id, scope, root_key, origin,
                                   steps, status, revision, started_at, ended_at)
        SELECT gen_random_uuid(), CASE i %% 2 WHEN 0 THEN 'place-order' ELSE 'return-order' END, 1,
               gen_random_uuid(), 'alice', 'key-' || i, 'shop/place-order', '[]', 'COMPLETED', 3, now() - interval '1 h', now() - interval '59 min'
        FROM   generate_series(1, %d) AS i
        """
            .formatted(count));
  }
}
