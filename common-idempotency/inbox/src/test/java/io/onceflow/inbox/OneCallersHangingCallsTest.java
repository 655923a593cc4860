package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.inbox.internal.participant.Recovery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What one customer whose calls hang costs the others, as docs/operations/overload.md promises: one
 * call at most. Seen red: the circuit was open for all.
 */
@Timeout(120)
class OneCallersHangingCallsTest {

  /** Of a call. */
  private static final Duration DEADLINE = Duration.ofMillis(500);

  /** Two statements, a call that is answered at once, and a machine that has other things to do. */
  private static final Duration USUAL = Duration.ofSeconds(3);

  private static final int HANGING = 600;
  private static final int OTHERS = 20;

  private final Fixture fixture = new Fixture();
  private final World world = fixture.world;
  private final CountDownLatch never = new CountDownLatch(1);

  @AfterEach
  void close() {
    fixture.close();
    Saga.PAYMENTS.update("DELETE FROM inbox_message WHERE status = 'STARTED'");
  }

  @Test
  void theOthersAreAnsweredInTheirUsualTimeAndThatOfOneCall() throws Exception {
    Participant participant =
        fixture.participant(
            TestConfig.inbox(
                Map.of(
                    "call-out.deadline", DEADLINE, "call-out.circuit.pause", Duration.ofHours(1))));
    try (Recovery recovery = fixture.recovery(participant)) {
      recovery.start();
      participant.settle(hanging().stream().map(Saga::take).toList());
      await().atMost(Duration.ofSeconds(60)).until(() -> open("TakeMoney") == 1);
      for (int i = 0; i < OTHERS; i++) {
        Saga other = new Saga("customer " + i);
        participant.settle(List.of(other.take()));
        await()
            .atMost(USUAL.plus(DEADLINE))
            .untilAsserted(() -> assertThat(other.replies()).containsExactly("MoneyTaken"));
      }
    }
  }

  private List<Saga> hanging() {
    List<Saga> hanging = new ArrayList<>();
    IntStream.range(0, HANGING).forEach(i -> hanging.add(new Saga("importer")));
    hanging.forEach(saga -> world.behave(saga.takeKey(), always()));
    return hanging;
  }

  /** As many attempts as are made. */
  private World.Manner[] always() {
    World.Manner[] manners = new World.Manner[10];
    Arrays.fill(manners, World.until(never));
    return manners;
  }

  private double open(String type) {
    var gauge = fixture.metrics.find("onceflow.inbox.circuit.open").tag("type", type).gauge();
    return gauge == null ? 0 : gauge.value();
  }
}
