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
import io.onceflow.saga.internal.store.view.SagaFilter.Attribute;
import io.onceflow.saga.internal.store.view.SagaFilter.Business;
import io.onceflow.saga.internal.store.view.SagaFilter.Definition;
import io.onceflow.saga.internal.store.view.SagaFilter.Page;
import io.onceflow.saga.internal.store.view.SagaFilter.Started;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
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

    assertThat(found(any().step("process-payment"))).containsExactlyInAnyOrder(pays, refunds);
    assertThat(found(any().step("arrange-shipment"))).containsExactly(ships);
    assertThat(found(any().step("confirm-order"))).isEmpty();
    SagaSummary line = find(any().step("arrange-shipment")).getFirst();
    assertThat(line.steps()).containsExactly("arrange-shipment");
    assertThat(line.attempts()).isEqualTo(1);
    SagaSummary over = find(any().status(SagaStatus.COMPENSATED)).getFirst();
    assertThat(over.steps()).isEmpty();
    assertThat(over.attempts()).isZero();
  }

  @Test
  void reasonDefinitionAndVersionNarrow() throws SQLException {
    UUID running = shop.placeOne();
    UUID declined = shop.placeOne();
    shop.deliver(declined, paymentDeclined());

    assertThat(found(any().reason("PAYMENT_DECLINED"))).containsExactly(declined);
    assertThat(found(any().reason("TIMED_OUT"))).isEmpty();
    assertThat(found(any().definition(new Definition("place-order", 1))))
        .containsExactlyInAnyOrder(running, declined);
    assertThat(found(any().definition(new Definition("place-order", 2)))).isEmpty();
  }

  @Test
  void itsSubjectAndItsCustomerFindASaga() throws SQLException {
    UUID saga = shop.placeOne();
    UUID order = shop.sent.getFirst().subjectId();
    String customer = find(any()).getFirst().customer();
    shop.place(2);
    SagaDatabase.execute("UPDATE saga_instance SET scope = 'bob' WHERE id <> '%s'".formatted(saga));

    assertThat(found(any().business(new Business(order, null, null)))).containsExactly(saga);
    assertThat(found(any().business(new Business(null, customer, null)))).containsExactly(saga);
    assertThat(found(any().business(new Business(null, "bob", null)))).hasSize(2);
    assertThat(found(any().business(new Business(null, "carol", null)))).isEmpty();
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

    assertThat(found(any().attribute("orderNumber:no:" + order))).containsExactly(saga);
    assertThat(found(any().attribute("region:EU"))).containsExactlyInAnyOrder(saga, other);
    assertThat(found(any().attribute("region:eu"))).isEmpty();
    assertThat(found(any().attribute("voucher:EU"))).isEmpty();
    assertThat(count(any().attribute("region:EU"))).isEqualTo(2);
    assertThat(find(any().attribute("orderNumber:no:" + order)).getFirst().attributes())
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

    assertThat(found(any().attribute(new Attribute("short", value)))).containsExactly(saga);
    assertThat(found(any().attribute(new Attribute("long", longer)))).containsExactly(saga);
  }

  @Test
  void momentsBoundTheStart() throws SQLException {
    shop.placeOne();
    Instant started = find(any()).getFirst().startedAt();
    UUID saga = UuidTime.first(started);
    SagaDatabase.execute("UPDATE saga_instance SET id = '%s'".formatted(saga));

    assertThat(found(any().started(new Started(null, started, null)))).containsExactly(saga);
    assertThat(found(any().started(new Started(null, null, started)))).isEmpty();
    assertThat(found(any().started(new Started(null, null, started.plusMillis(1)))))
        .containsExactly(saga);
    assertThat(found(any().started(new Started(null, started.plusMillis(1), null)))).isEmpty();
  }

  @Test
  void overdueAreThoseWhoseTimerOrDeadlineNobodyServed() throws SQLException {
    shop.placeOne();
    UUID late = shop.placeOne();
    UUID quarantined = shop.placeOne();
    setTimer(late, "now() - interval '11 s'");
    setTimer(quarantined, "'infinity'");

    assertThat(found(any().overdue())).containsExactly(late);
  }

  @Test
  void countsThoseOfAllPages() throws SQLException {
    shop.place(4);
    shop.deliver(shop.placeOne(), paymentDeclined());

    assertThat(count(any())).isEqualTo(5);
    assertThat(count(any().status(SagaStatus.RUNNING))).isEqualTo(4);
    assertThat(count(any().step("arrange-shipment"))).isZero();
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
