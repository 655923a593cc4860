package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.testing.CountedDatabase;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.inbox.internal.participant.Recovery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What is behind a lane of calls that do not end. Seen red before lanes were independent: the
 * intake stood still in front of the full lane, and a refund waited behind all slow charges.
 */
@Timeout(120)
class LanesTest {

  private static final int SLOW = 4_000;
  private static final int TURNS = 12;
  private static final int ROOM_TO_WAIT = 64;
  private static final Duration FOR_EVER = Duration.ofMinutes(10);

  private static final InboxConfig CONFIG = lane(TURNS, ROOM_TO_WAIT);

  private static InboxConfig lane(int turns, int roomToWait) {
    return TestConfig.inbox(
        Map.of(
            "call-out.concurrency", turns,
            "call-out.waiting", roomToWait,
            "call-out.deadline", FOR_EVER,
            "lease", FOR_EVER.multipliedBy(2)));
  }

  private final Fixture fixture = new Fixture();
  private final World world = fixture.world;
  private final CountDownLatch letGo = new CountDownLatch(1);

  @AfterEach
  void close() {
    letGo.countDown();
    // First: results that are written meanwhile lock the same rows in another order.
    fixture.close();
    Saga.PAYMENTS.update("DELETE FROM inbox_message WHERE status = 'STARTED'");
  }

  @Test
  void aRefundAndTheChargeOfAnotherCustomerDoNotWaitBehindSlowCharges() throws Exception {
    Participant participant = fixture.participant(CONFIG);
    Saga charged = new Saga("grace");
    participant.settle(List.of(charged.take()));
    await().untilAsserted(() -> assertThat(charged.replies()).containsExactly("MoneyTaken"));
    BatchConsumer intake = fixture.intake(participant);
    List<Saga> slow = slow("ada", SLOW);
    slow.forEach(saga -> intake.accept(saga.take()));
    Saga quick = new Saga("grace");
    intake.accept(charged.giveBack());
    intake.accept(quick.take());
    try (Recovery recovery = fixture.recovery(participant)) {
      recovery.start();
      await().untilAsserted(() -> assertThat(charged.replies()).contains("MoneyGivenBack"));
      await().untilAsserted(() -> assertThat(quick.replies()).containsExactly("MoneyTaken"));
      await().until(() -> started() == SLOW);
    }
    assertThat(called(slow)).as("one customer has no more than half of the turns").isEqualTo(6);
    assertThat(heldInMemory()).as("calls that wait in memory").isLessThanOrEqualTo(ROOM_TO_WAIT);
  }

  /** Its row says from the first that it is due, and that no call was begun. */
  @Test
  void whatFindsNoPlaceIsWrittenOnce() throws Exception {
    CountedDatabase counted = new CountedDatabase(Saga.PAYMENTS.source());
    Participant full = fixture.participant(lane(1, 0), counted.source(), Handlers.all(world));
    List<Saga> slow = slow("ada", 3);
    full.settle(slow.stream().map(Saga::take).toList());
    assertThat(counted.statements())
        .containsExactly("SELECT inbox_message", "SELECT charge", "INSERT inbox_message");
    assertThat(fixture.counted("deferred")).isEqualTo(2);
    assertThat(
            Saga.PAYMENTS.number(
                """
                SELECT count(*)
                FROM   inbox_message
                WHERE  status = 'STARTED'
                AND    lease_expires_at < now()
                AND    attempts = 0
                """))
        .isEqualTo(2);
  }

  @Test
  void whatWaitsInTheDatabaseIsTakenUpInTurnsOfTheCustomers() throws Exception {
    Participant full = fixture.participant(lane(1, 0));
    List<Saga> slow = slow("ada", 500);
    full.settle(slow.stream().map(Saga::take).toList());
    await().until(() -> called(slow) == 1);
    List<Saga> quick = Stream.of("grace", "linus").map(Saga::new).toList();
    full.settle(quick.stream().map(Saga::take).toList());
    assertThat(full.recover()).as("there is no room").isZero();
    // The oldest of what waits is ada's by far.
    Participant other = fixture.participant(CONFIG);
    other.recover();
    await()
        .untilAsserted(
            () ->
                assertThat(quick)
                    .allSatisfy(saga -> assertThat(saga.replies()).containsExactly("MoneyTaken")));
  }

  @Test
  void aFullLaneHidesNothingThatIsDueInAnother() throws Exception {
    Participant participant = fixture.participant(lane(TURNS, 4));
    Saga charged = new Saga("ada");
    participant.settle(List.of(charged.take()));
    await().untilAsserted(() -> assertThat(charged.replies()).containsExactly("MoneyTaken"));
    participant.settle(slow("ada", 600).stream().map(Saga::take).toList());
    world.behave(charged.giveBackKey(), World.failing());
    participant.settle(List.of(charged.giveBack()));
    await().until(() -> fixture.counted("call-failed") == 1);
    await()
        .untilAsserted(
            () -> {
              participant.recover();
              assertThat(charged.replies()).contains("MoneyGivenBack");
            });
  }

  @Test
  void allThatWaitedIsCalledOnceTheSlowOnesHaveEnded() throws Exception {
    Participant participant = fixture.participant(CONFIG);
    List<Saga> slow = slow("ada", 300);
    participant.settle(slow.stream().map(Saga::take).toList());
    letGo.countDown();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              participant.recover();
              return started() == 0;
            });
    assertThat(slow).allSatisfy(saga -> assertThat(world.callsUnder(saga.takeKey())).isOne());
  }

  /** Neither the rows of other types nor those that are not due are read. */
  @Test
  void theIndexLeadsToWhatIsDue() throws Exception {
    Participant full = fixture.participant(lane(1, 0));
    full.settle(slow("ada", 2_000).stream().map(Saga::take).toList());
    Saga.PAYMENTS.update("ANALYZE inbox_message");
    List<String> plan =
        Saga.PAYMENTS.texts(
            """
            EXPLAIN SELECT scope
            FROM     inbox_message
            WHERE    (envelope ->> 'type') COLLATE "C" = 'TakeMoney'
            AND      fencing_token > 0
            AND      scope < 'bob'
            AND      lease_expires_at < now()
            ORDER BY 1 DESC
            LIMIT    1
            """);
    assertThat(String.join("\n", plan)).contains("inbox_message_by_type").doesNotContain("Sort");
  }

  private List<Saga> slow(String scope, int count) {
    List<Saga> slow = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Saga saga = new Saga(scope);
      world.behave(saga.takeKey(), World.until(letGo));
      slow.add(saga);
    }
    return slow;
  }

  private long called(List<Saga> sagas) {
    return sagas.stream().filter(saga -> world.callsUnder(saga.takeKey()) > 0).count();
  }

  private static long started() {
    return Long.parseLong(
        Saga.PAYMENTS.text("SELECT count(*) FROM inbox_message WHERE status = 'STARTED'"));
  }

  private static long heldInMemory() {
    return Long.parseLong(
        Saga.PAYMENTS.text(
            """
            SELECT count(*) - 6
            FROM   inbox_message
            WHERE  status = 'STARTED'
            AND    lease_expires_at > now()
            """));
  }
}
