package io.onceflow.saga.internal.store.view;

import static io.onceflow.saga.PlaceOrder.paymentDeclined;
import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static io.onceflow.saga.PlaceOrder.shipmentRejected;
import static io.onceflow.saga.internal.store.view.Wanted.any;
import static io.onceflow.saga.internal.store.view.Wanted.count;
import static io.onceflow.saga.internal.store.view.Wanted.find;
import static io.onceflow.saga.internal.store.view.Wanted.found;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import io.onceflow.saga.internal.store.view.SagaFilter.Page;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How operators find a saga among others. */
@Timeout(value = 60, unit = SECONDS)
class SagaSearchTest {

  private final Shop shop = new Shop(PlaceOrder.DEFINITION);

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew();
  }

  @Test
  void pagesGoFromTheNewestToTheOldest() throws SQLException {
    List<UUID> oldestFirst =
        shop.place(5).stream().sorted(Comparator.comparing(UUID::toString)).toList();

    List<UUID> first = found(any().page(new Page(null, true, 3)));
    List<UUID> second = found(any().page(new Page(first.getLast(), true, 3)));

    assertThat(first).isEqualTo(oldestFirst.subList(2, 5).reversed());
    assertThat(second).isEqualTo(oldestFirst.subList(0, 2).reversed());
  }

  @Test
  void aStepFindsThoseThatWaitForItOrForItsCompensation() throws SQLException {
    UUID pays = shop.placeOne();
    UUID ships = shop.placeOne();
    shop.deliver(ships, paymentProcessed());
    UUID refunds = shop.placeOne();
    shop.deliver(refunds, paymentProcessed(), shipmentRejected());
    UUID ended = shop.placeOne();
    shop.deliver(ended, paymentDeclined());

    assertThat(found(any().with("step", "process-payment")))
        .containsExactlyInAnyOrder(pays, refunds);
    assertThat(found(any().with("step", "arrange-shipment"))).containsExactly(ships);
    assertThat(found(any().with("step", "confirm-order"))).isEmpty();
    SagaSummary line = find(any().with("step", "arrange-shipment")).getFirst();
    assertThat(line.steps()).containsExactly("arrange-shipment");
    assertThat(line.attempts()).isEqualTo(1);
    SagaSummary over = find(any().with("status", SagaStatus.COMPENSATED)).getFirst();
    assertThat(over.steps()).isEmpty();
    assertThat(over.attempts()).isZero();
  }

  /** Before: ids of twelve digits, as lists show them, were taken nowhere. */
  @Test
  void oneSearchTakesAnIdWholeOrShortAKeyOrACustomer() throws SQLException {
    UUID saga = shop.placeOne();
    UUID order = shop.sent.getFirst().subjectId();
    shop.place(2);
    SagaDatabase.execute("UPDATE saga_instance SET scope = 'bob', root_key = 'key of ' || id");
    SagaDatabase.execute("UPDATE saga_instance SET scope = 'ada' WHERE id = '%s'".formatted(saga));

    for (String text :
        List.of(
            saga.toString(),
            saga.toString().substring(24).toUpperCase(Locale.ROOT),
            order.toString(),
            order.toString().substring(24),
            "key of " + saga,
            "ada")) {
      assertThat(search(text, true)).as(text).containsExactly(saga);
    }
    assertThat(search("bob", true)).hasSize(2);
    assertThat(search("ada", false)).as("by a viewer").isEmpty();
    assertThat(search("key of " + saga, false)).as("by a viewer").isEmpty();
    assertThat(search(saga.toString().substring(24), false)).containsExactly(saga);
    assertThat(search("nothing", true)).isEmpty();
  }

  private static List<UUID> search(String text, boolean seesPersonalData) throws SQLException {
    return SagaDatabase.inTransaction(
        tx ->
            SagaSearch.find(tx, text, seesPersonalData).stream().map(SagaSearch.Hit::id).toList());
  }

  @Test
  void reasonDefinitionAndVersionNarrow() throws SQLException {
    UUID running = shop.placeOne();
    UUID declined = shop.placeOne();
    shop.deliver(declined, paymentDeclined());

    assertThat(found(any().with("reason", "PAYMENT_DECLINED"))).containsExactly(declined);
    assertThat(found(any().with("reason", "TIMED_OUT"))).isEmpty();
    assertThat(found(any().with("definition", "place-order").with("version", 1)))
        .containsExactlyInAnyOrder(running, declined);
    assertThat(found(any().with("definition", "place-order").with("version", 2))).isEmpty();
  }

  @Test
  void itsSubjectAndItsCustomerFindASaga() throws SQLException {
    UUID saga = shop.placeOne();
    UUID order = shop.sent.getFirst().subjectId();
    String customer = find(any()).getFirst().customer();
    shop.place(2);
    SagaDatabase.execute("UPDATE saga_instance SET scope = 'bob' WHERE id <> '%s'".formatted(saga));

    assertThat(found(any().with("subject", order))).containsExactly(saga);
    assertThat(found(any().with("customer", customer))).containsExactly(saga);
    assertThat(found(any().with("customer", "bob"))).hasSize(2);
    assertThat(found(any().with("customer", "carol"))).isEmpty();
  }

  @Test
  void whatItsDefinitionDeclaresFindsASaga() throws SQLException {
    Shop searchable =
        new Shop(
            PlaceOrder.DEFINITION
                .searchableBy("orderNumber", order -> "no:" + order.id())
                .searchableBy("region", order -> "EU")
                .searchableBy("voucher", order -> null));
    UUID saga = searchable.placeOne();
    UUID other = searchable.placeOne();
    shop.placeOne();
    UUID order = searchable.sent.getFirst().subjectId();

    assertThat(found(any().with("attribute", "orderNumber:no:" + order))).containsExactly(saga);
    assertThat(found(any().with("attribute", "region:EU"))).containsExactlyInAnyOrder(saga, other);
    assertThat(found(any().with("attribute", "region:eu"))).isEmpty();
    assertThat(found(any().with("attribute", "voucher:EU"))).isEmpty();
    assertThat(count(any().with("attribute", "region:EU"))).isEqualTo(2);
    assertThat(find(any().with("attribute", "orderNumber:no:" + order)).getFirst().attributes())
        .isEqualTo(Map.of("orderNumber", "no:" + order, "region", "EU"));
  }

  /** A start must not fail for what is there to be found by. */
  @ParameterizedTest
  @ValueSource(strings = {"", "nul \0 in it", "half a pair \ud83d", "\u4e2d"})
  void anyValueIsKept(String value) throws SQLException {
    String longer = value + "\ud83d\ude00".repeat(300);
    Shop searchable =
        new Shop(
            PlaceOrder.DEFINITION
                .searchableBy("short", order -> value)
                .searchableBy("long", order -> longer));
    UUID saga = searchable.placeOne();

    if (!value.isEmpty()) {
      assertThat(found(any().with("attribute", "short:" + value))).containsExactly(saga);
    }
    assertThat(found(any().with("attribute", "long:" + longer))).containsExactly(saga);
  }

  @Test
  void momentsBoundTheStart() throws SQLException {
    shop.placeOne();
    Instant started = find(any()).getFirst().startedAt();
    UUID saga = UuidTime.first(started);
    SagaDatabase.execute("UPDATE saga_instance SET id = '%s'".formatted(saga));

    assertThat(found(any().with("startedAfter", started))).containsExactly(saga);
    assertThat(found(any().with("startedBefore", started))).isEmpty();
    assertThat(found(any().with("startedBefore", started.plusMillis(1)))).containsExactly(saga);
    assertThat(found(any().with("startedAfter", started.plusMillis(1)))).isEmpty();
  }

  @Test
  void overdueAreThoseWhoseTimerOrDeadlineNobodyServed() throws SQLException {
    shop.placeOne();
    UUID late = shop.placeOne();
    UUID quarantined = shop.placeOne();
    setTimer(late, "now() - interval '11 s'");
    setTimer(quarantined, "'infinity'");

    assertThat(found(any().with("overdue", true))).containsExactly(late);
  }

  @Test
  void countsThoseOfAllPages() throws SQLException {
    shop.place(4);
    shop.deliver(shop.placeOne(), paymentDeclined());

    assertThat(count(any())).isEqualTo(5);
    assertThat(count(any().with("status", SagaStatus.RUNNING))).isEqualTo(4);
    assertThat(count(any().with("step", "arrange-shipment"))).isZero();
  }

  @Test
  void idsOfAMomentComeBeforeThoseOfTheNextMillisecond() {
    Instant moment = Instant.parse("2026-03-01T08:00:00.123Z");

    assertThat(UuidTime.first(moment).toString()).isEqualTo("019ca869-507b-7000-8000-000000000000");
    assertThat(UuidTime.first(moment.plusMillis(1)).toString())
        .isEqualTo("019ca869-507c-7000-8000-000000000000");
  }

  private static void setTimer(UUID saga, String moment) throws SQLException {
    SagaDatabase.execute(
        "UPDATE saga_instance SET next_action_at = %s WHERE id = '%s'".formatted(moment, saga));
  }
}
