package io.onceflow.saga.internal.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.PlaceOrder;
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

  private final Shop shop = new Shop(PlaceOrder.DEFINITION);
  private final AtomicLong timesSetBack = new AtomicLong();
  private final SetBackTimers timers =
      new SetBackTimers(timesSetBack::get, CountedShop.unitOfWork(SagaDatabase.source()), 2);

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew("classpath:db/onceflow/outbox");
  }

  /** Before, their steps were sent again an hour late. */
  @Test
  void areNotLateByAsMuchAsTheClockIsSetBack() throws SQLException {
    List<UUID> ahead = shop.place(3);
    sendAnHourAhead();
    UUID usual = shop.placeOne();
    Instant dueBefore = shop.view(usual).nextActionAt();

    timers.sendAgain(List.of(shop.sagas));
    assertThat(shop.view(ahead.getFirst()).nextActionAt()).isAfter(inHalfAnHour());

    timesSetBack.incrementAndGet();
    timers.sendAgain(List.of(shop.sagas));

    assertThat(ahead)
        .allSatisfy(
            saga -> {
              assertThat(shop.view(saga).nextActionAt()).isBefore(inHalfAnHour());
              assertThat(retries(saga)).isEqualTo(1);
            });
    assertThat(shop.view(usual).nextActionAt()).isEqualTo(dueBefore);
    assertThat(retries(usual)).isZero();
  }

  /** Each replica sees the clock set back. */
  @Test
  void areSetRightByTheFirstReplica() throws SQLException {
    UUID ahead = shop.placeOne();
    sendAnHourAhead();
    timesSetBack.incrementAndGet();
    timers.sendAgain(List.of(shop.sagas));

    new SetBackTimers(() -> 1, CountedShop.unitOfWork(SagaDatabase.source()), 2)
        .sendAgain(List.of(shop.sagas));

    assertThat(retries(ahead)).isEqualTo(1);
  }

  private static void sendAnHourAhead() throws SQLException {
    SagaDatabase.execute(
        """
        UPDATE saga_instance
        SET    next_action_at = next_action_at + interval '1 hour',
               steps          = jsonb_set(
                                  jsonb_set(
                                    steps::jsonb,
                                    '{0,sentAt}',
                                    to_jsonb((steps #>> '{0,sentAt}')::timestamptz
                                             + interval '1 hour')),
                                  '{0,dueAt}',
                                  to_jsonb((steps #>> '{0,dueAt}')::timestamptz
                                           + interval '1 hour'))::json
        """);
  }

  private static Instant inHalfAnHour() {
    return Instant.now().plus(Duration.ofMinutes(30));
  }

  private long retries(UUID saga) throws SQLException {
    return shop.view(saga).history().stream()
        .filter(entry -> entry.event().equals("retry-requested"))
        .count();
  }
}
