package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.internal.participant.Participant;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls of an outside world that mostly fails: it is left alone for a while. */
@Timeout(60)
class MostlyFailingTest {

  /** As many calls as the circuit breaker looks at. */
  private static final int WINDOW = 40;

  private final Fixture fixture = new Fixture();
  private final World world = fixture.world;
  private final Participant participant =
      fixture.participant(
          TestConfig.inbox(
              Map.of(
                  "call-out.first-backoff",
                  Duration.ofMinutes(10),
                  "call-out.longest-backoff",
                  Duration.ofMinutes(10))));

  @AfterEach
  void close() {
    Saga.PAYMENTS.update("DELETE FROM inbox_message WHERE status = 'STARTED'");
    fixture.close();
  }

  @Test
  void aCallThatIsNotMadeUsesUpNoAttemptAndIsMadeAfterThePause() throws Exception {
    failAllCalls();
    Saga saga = new Saga();

    participant.settle(List.of(saga.take()));

    await().untilAsserted(() -> assertThat(saga.inbox("attempts", saga.takeKey())).isEqualTo("0"));
    assertThat(world.callsUnder(saga.takeKey())).isZero();
    await()
        .untilAsserted(
            () -> {
              participant.recover();
              assertThat(saga.replies()).containsExactly("MoneyTaken");
            });
    assertThat(open("TakeMoney")).isZero();
  }

  @Test
  void moneyIsGivenBackWhileNoneIsTaken() throws Exception {
    Saga charged = new Saga();
    participant.settle(List.of(charged.take()));
    await().untilAsserted(() -> assertThat(charged.replies()).containsExactly("MoneyTaken"));
    failAllCalls();

    participant.settle(List.of(charged.giveBack()));

    await().untilAsserted(() -> assertThat(charged.replies()).contains("MoneyGivenBack"));
  }

  /** A final refusal, as of a disputed charge: the outside world answers, so others are asked. */
  @Test
  void refusalsStopNoCalls() throws Exception {
    for (int i = 0; i < WINDOW; i++) {
      Saga declined = new Saga("declined " + i);
      participant.settle(List.of(declined.take(Handlers.DECLINED_OUTSIDE)));
      await().untilAsserted(() -> assertThat(declined.replies()).containsExactly("MoneyDeclined"));
    }
    Saga another = new Saga();
    participant.settle(List.of(another.take()));

    await().untilAsserted(() -> assertThat(another.replies()).containsExactly("MoneyTaken"));
    assertThat(open("TakeMoney")).isZero();
  }

  private void failAllCalls() throws Exception {
    List<Saga> failing =
        IntStream.range(0, WINDOW).mapToObj(i -> new Saga("failing " + i)).toList();
    for (Saga saga : failing) {
      world.behave(saga.takeKey(), World.failing());
      participant.settle(List.of(saga.take()));
    }
    await().untilAsserted(() -> assertThat(open("TakeMoney")).isEqualTo(1));
  }

  private double open(String type) {
    var gauge = fixture.metrics.find("onceflow.inbox.circuit.open").tag("type", type).gauge();
    return gauge == null ? 0 : gauge.value();
  }
}
