package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.testing.CountedConnections;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.test.internal.TestConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
              "call-out.concurrency", 1000,
              "call-out.concurrency-min", AT_FIRST,
              "call-out.waiting", 4000));

  private final Fixture fixture = new Fixture();
  private final World world = fixture.world;
  private final CountedConnections database = new CountedConnections(Saga.PAYMENTS.source());
  private final Participant<Charge> participant =
      fixture.participant(CONFIG, database.source(), Handlers.all(world));

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void hundredsOfCallsAreMadeAtOnceOverAHandfulOfConnections() throws Exception {
    List<Saga> sagas = sagas(1_500);
    participant.settle(sagas.stream().map(Saga::take).toList());
    await().until(() -> calls("active", "TakeMoney") > 3 * AT_FIRST);
    await().atMost(Duration.ofSeconds(20)).until(() -> fixture.counted("completed") == 1_500);
    assertThat(sagas).allSatisfy(saga -> assertThat(world.callsUnder(saga.takeKey())).isOne());
    assertThat(database.mostAtOnce()).as("one writes results, one takes over").isLessThan(4);
  }

  @Test
  void aRefundDoesNotWaitBehindSlowChargesWhoseNumberGrows() throws Exception {
    Saga charged = new Saga();
    participant.settle(List.of(charged.take()));
    await().untilAsserted(() -> assertThat(charged.replies()).containsExactly("MoneyTaken"));
    participant.settle(sagas(1_500).stream().map(Saga::take).toList());
    await().until(() -> calls("limit", "TakeMoney") > AT_FIRST);
    participant.settle(List.of(charged.giveBack()));
    await().until(() -> charged.replies().contains("MoneyGivenBack"));
    assertThat(calls("waiting", "TakeMoney")).as("charges that wait still").isGreaterThan(300);
    assertThat(calls("limit", "GiveMoneyBack")).as("a lane of its own").isEqualTo(AT_FIRST);
  }

  private List<Saga> sagas(int count) {
    return IntStream.range(0, count).mapToObj(i -> slow(new Saga("customer-" + i % 16))).toList();
  }

  private Saga slow(Saga saga) {
    world.behave(saga.takeKey(), World.taking(SLOW));
    return saga;
  }

  private double calls(String which, String type) {
    var gauge = fixture.metrics.find("onceflow.inbox.calls." + which).tag("type", type).gauge();
    return gauge == null ? 0 : gauge.value();
  }
}
