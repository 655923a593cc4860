package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.testing.CountedConnections;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.participant.Participant;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Another system that answers every call, slowly. */
@Timeout(60)
class SlowOutsideTest {

  private static final Duration SLOW = Duration.ofMillis(200);

  private static final int AT_FIRST = 48;

  private static final InboxConfig CONFIG =
      TestConfig.inbox(
          Map.of(
              "call-out.concurrency",
              1000,
              "call-out.concurrency-min",
              AT_FIRST,
              "call-out.waiting",
              4000,
              "call-out.deadline",
              Duration.ofMinutes(2),
              "lease",
              Duration.ofMinutes(4)));

  private final Fixture fixture = new Fixture();
  private final World world = fixture.world;
  private final CountedConnections database = new CountedConnections(Saga.PAYMENTS.source());
  private final Participant participant =
      fixture.participant(CONFIG, database.source(), Handlers.all(world));

  private final CountDownLatch letGo = new CountDownLatch(1);

  @AfterEach
  void close() {
    letGo.countDown();
    Saga.PAYMENTS.update("DELETE FROM inbox_message WHERE status = 'STARTED'");
    fixture.close();
  }

  @Test
  void hundredsOfCallsAreMadeAtOnceOverAHandfulOfConnections() throws Exception {
    List<Saga> sagas = sagas(1_500, World.taking(SLOW));
    participant.settle(sagas.stream().map(Saga::take).toList());
    await().until(() -> calls("active", "TakeMoney") > 3 * AT_FIRST);
    await().atMost(Duration.ofSeconds(20)).until(() -> fixture.counted("completed") == 1_500);
    assertThat(sagas).allSatisfy(saga -> assertThat(world.callsUnder(saga.takeKey())).isOne());
    assertThat(database.mostAtOnce()).as("one writes results, one takes over").isLessThan(4);
  }

  @Test
  void aRefundDoesNotWaitBehindSlowChargesWhoseNumberGrows() throws Exception {
    Saga charged = new Saga("customer-0");
    participant.settle(List.of(charged.take()));
    await().untilAsserted(() -> assertThat(charged.replies()).containsExactly("MoneyTaken"));
    participant.settle(sagas(500, World.taking(SLOW)).stream().map(Saga::take).toList());
    await().until(() -> calls("limit", "TakeMoney") > AT_FIRST);
    participant.settle(sagas(1_500, World.until(letGo)).stream().map(Saga::take).toList());
    await().until(() -> calls("waiting", "TakeMoney") > 500);
    participant.settle(List.of(charged.giveBack()));
    await().until(() -> charged.replies().contains("MoneyGivenBack"));
    assertThat(calls("waiting", "TakeMoney")).as("charges that wait still").isGreaterThan(500);
    assertThat(calls("limit", "GiveMoneyBack")).as("a lane of its own").isEqualTo(AT_FIRST);
  }

  /** Of sixteen customers. */
  private List<Saga> sagas(int count, World.Manner manner) {
    return IntStream.range(0, count)
        .mapToObj(i -> charge(new Saga("customer-" + i % 16), manner))
        .toList();
  }

  private Saga charge(Saga saga, World.Manner manner) {
    world.behave(saga.takeKey(), manner);
    return saga;
  }

  private double calls(String which, String type) {
    var gauge = fixture.metrics.find("onceflow.inbox.calls." + which).tag("type", type).gauge();
    return gauge == null ? 0 : gauge.value();
  }
}
