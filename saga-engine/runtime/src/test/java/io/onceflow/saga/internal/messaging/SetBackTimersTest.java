package io.onceflow.saga.internal.messaging;

import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.sleep;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Wait;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.store.CountedShop;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Timers that were set by a clock of PostgreSQL that was an hour fast. */
class SetBackTimersTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration LONG = Duration.ofDays(10_000);
  private static final Instant OPENS = Instant.parse("2050-01-01T00:00:00Z");

  private final Shop shop = new Shop(PlaceOrder.DEFINITION);
  private final AtomicLong timesSetBack = new AtomicLong();
  private final SetBackTimers timers = timers();

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew("classpath:db/onceflow/outbox");
  }

  private SetBackTimers timers() {
    return new SetBackTimers(
        timesSetBack::get, CountedShop.unitOfWork(SagaDatabase.source()), Duration.ofMinutes(1), 2);
  }

  /** Before, their steps were sent again an hour late. */
  @Test
  void areNotLateByAsMuchAsTheClockIsSetBack() throws SQLException {
    UUID usual = shop.placeOne();
    Instant dueBefore = shop.view(usual).nextActionAt();
    timers.correct(List.of(shop.sagas));
    List<UUID> ahead = shop.place(3);
    sendAnHourAhead(ahead);

    timers.correct(List.of(shop.sagas));
    assertThat(shop.view(ahead.getFirst()).nextActionAt()).isAfter(inHalfAnHour());

    timesSetBack.incrementAndGet();
    timers.correct(List.of(shop.sagas));

    assertThat(ahead)
        .allSatisfy(
            saga -> {
              assertThat(shop.view(saga).nextActionAt()).isBefore(inHalfAnHour());
              assertThat(shop.view(saga).steps().getFirst().expiresAt())
                  .isBefore(Instant.now().plus(HOUR));
              assertThat(retries(saga)).isEqualTo(1);
            });
    assertThat(shop.view(usual).nextActionAt()).isEqualTo(dueBefore);
    assertThat(retries(usual)).isZero();
  }

  /** Each replica sees the clock set back, or starts later. */
  @Test
  void areSetRightByTheFirstReplica() throws SQLException {
    UUID ahead = shop.placeOne();
    sendAnHourAhead(List.of(ahead));
    timesSetBack.incrementAndGet();
    timers.correct(List.of(shop.sagas));

    timers().correct(List.of(shop.sagas));

    assertThat(retries(ahead)).isEqualTo(1);
  }

  @Test
  void areSetRightAfterAStartThatDidNotSeeTheClockSetBack() throws SQLException {
    UUID ahead = shop.placeOne();
    sendAnHourAhead(List.of(ahead));

    timers.correct(List.of(shop.sagas));

    assertThat(shop.view(ahead).nextActionAt()).isBefore(inHalfAnHour());
  }

  /** Before, what a saga itself waited for was an hour late; a retry did not help. */
  @Test
  void ofWaitsLastAsLongAsTheyWould() throws SQLException {
    Shop sleepers = shopOf(sleep("cooling-off", Duration.ofMinutes(10)));
    UUID sleeping = sleepers.placeOne();
    sendAnHourAhead(List.of(sleeping));

    timers.correct(List.of(sleepers.sagas));

    assertThat(sleepers.view(sleeping).nextActionAt()).isBefore(inHalfAnHour());
  }

  @Test
  void ofMomentsThatTheSubjectNamesStay() throws SQLException {
    Wait<PlaceOrder> untilItOpens = sleep("until-it-opens", order -> OPENS);
    Shop sleepers = shopOf(untilItOpens.atMost(LONG));
    UUID sleeping = sleepers.placeOne();
    sendAnHourAhead(List.of(sleeping));

    timers.correct(List.of(sleepers.sagas));

    assertThat(sleepers.view(sleeping).nextActionAt()).isEqualTo(OPENS);
  }

  /** Before, a saga that was to be looked at at once was so an hour later. */
  @Test
  void thatWereToFireAtOnceFire() throws SQLException {
    UUID woken = shop.placeOne();
    SagaDatabase.execute("UPDATE saga_instance SET next_action_at = now() + interval '1 hour'");

    timers.correct(List.of(shop.sagas));

    assertThat(shop.fireDue(1)).extracting(SagaState::id).containsExactly(woken);
    assertThat(shop.view(woken).history()).hasSize(2);
  }

  /** Where the process's clock was ahead, too. */
  @Test
  void ofDeadlinesCountFromNowWhereTheSagaStartedAhead() throws SQLException {
    shop.stopTheClock(Instant.now().plus(HOUR));
    UUID ahead = shop.placeOne();
    Duration allowed = allowed(ahead);

    timers.correct(List.of(shop.sagas));
    timers().correct(List.of(shop.sagas));

    assertThat(shop.view(ahead).startedAt()).isBefore(inHalfAnHour());
    assertThat(allowed(ahead)).isEqualTo(allowed);
  }

  private static Shop shopOf(Wait<PlaceOrder> wait) {
    SagaDefinition<PlaceOrder> definition =
        saga("place-order", 1, wait, pivot("confirm-order").run(order -> order));
    return new Shop(definition);
  }

  /** As it would be had their first step been sent by a clock that is an hour fast. */
  private static void sendAnHourAhead(List<UUID> sagas) throws SQLException {
    for (UUID saga : sagas) {
      SagaDatabase.execute(
          """
          UPDATE saga_instance
          SET    next_action_at = next_action_at + interval '1 hour',
                 steps          = (SELECT json_build_array(step::jsonb || jsonb_build_object(
                                            'sentAt', %s, 'dueAt', %s)
                                            || CASE WHEN step::jsonb ? 'expiresAt'
                                                 THEN jsonb_build_object('expiresAt', %s)
                                                 ELSE '{}' END)
                                   FROM   json_array_elements(steps) AS step
                                   LIMIT  1)
          WHERE  id = '%s'
          """
              .formatted(later("sentAt"), later("dueAt"), later("expiresAt"), saga));
    }
  }

  private static String later(String time) {
    return "(step ->> '%s')::timestamptz + interval '1 hour'".formatted(time);
  }

  private static Instant inHalfAnHour() {
    return Instant.now().plus(HOUR.dividedBy(2));
  }

  private Duration allowed(UUID saga) throws SQLException {
    return Duration.between(shop.view(saga).startedAt(), shop.view(saga).deadlineAt());
  }

  private long retries(UUID saga) throws SQLException {
    return shop.view(saga).history().stream()
        .filter(entry -> entry.event().equals("retry-requested"))
        .count();
  }
}
