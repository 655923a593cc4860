package io.onceflow.inbox.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.Fixture;
import io.onceflow.inbox.Saga;
import io.onceflow.inbox.TestConfig;
import io.onceflow.inbox.World;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.participant.Participant;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A participant that stops: its calls come to their end, and whoever takes over the rest need not
 * wait for a lease to end.
 */
@Timeout(60)
class LeaseReleaseTest {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration AT_ONCE = Duration.ofMillis(50);

  private final Fixture fixture = new Fixture();
  private final World world = fixture.world;
  private final Saga saga = new Saga();
  private final Saga waiting = new Saga();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aCallThatIsUnderWayComesToItsEndAndIsWrittenDown() throws Exception {
    Participant first = fixture.participant(TestConfig.inbox(Map.of("call-out.stop-within", LONG)));
    CountDownLatch letGo = new CountDownLatch(1);
    world.behave(saga.takeKey(), World.until(letGo));
    first.settle(List.of(saga.take()));
    await().until(() -> world.callsUnder(saga.takeKey()) == 1);
    Thread closing = Thread.ofPlatform().start(first::close);
    await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
    letGo.countDown();
    closing.join();
    assertThat(saga.replies()).containsExactly("MoneyTaken");
    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(1);
  }

  @Test
  void aCallThatDoesNotEndInTimeIsMadeAgainByAnotherAtOnce() throws Exception {
    Participant first =
        fixture.participant(TestConfig.inbox(Map.of("call-out.stop-within", AT_ONCE)));
    world.behave(saga.takeKey(), World.until(new CountDownLatch(1)));
    first.settle(List.of(saga.take()));
    await().until(() -> world.callsUnder(saga.takeKey()) == 1);
    first.close();
    assertThat(saga.inbox("lease_expires_at <= now()", saga.takeKey())).isEqualTo("true");
    assertThat(fixture.participant().recover()).isPositive();
    awaitReplies(saga);
    assertThat(saga.inbox("attempts", saga.takeKey())).as("it was called twice").isEqualTo("2");
    assertThat(fixture.counted("call-failed")).isZero();
  }

  @Test
  void aCallThatWaitsForItsTurnIsNotMadeAndTakenUpByAnotherAtOnce() throws Exception {
    Participant first =
        fixture.participant(
            TestConfig.inbox(
                Map.of(
                    "call-out.concurrency",
                    1,
                    "call-out.waiting",
                    3,
                    "call-out.stop-within",
                    AT_ONCE)));
    world.behave(saga.takeKey(), World.until(new CountDownLatch(1)));
    first.settle(List.of(saga.take()));
    await().until(() -> world.callsUnder(saga.takeKey()) == 1);
    first.settle(List.of(waiting.take()));
    first.close();
    assertThat(world.callsUnder(waiting.takeKey())).isZero();
    assertThat(fixture.participant().recover()).isPositive();
    awaitReplies(saga);
    awaitReplies(waiting);
    assertThat(waiting.inbox("attempts", waiting.takeKey())).as("and that once").isEqualTo("1");
  }

  @Test
  void aCommandWithoutAPlaceIsNotHeldUpByAProcessThatStops() throws Exception {
    Participant first =
        fixture.participant(
            TestConfig.inbox(
                Map.of(
                    "call-out.concurrency",
                    1,
                    "call-out.waiting",
                    0,
                    "call-out.stop-within",
                    LONG)));
    CountDownLatch letGo = new CountDownLatch(1);
    world.behave(saga.takeKey(), World.until(letGo));
    first.settle(List.of(saga.take()));
    await().until(() -> world.callsUnder(saga.takeKey()) == 1);
    BatchConsumer intake = fixture.intake(first);
    intake.accept(waiting.take());
    await().until(() -> "STARTED".equals(waiting.statusOf(waiting.takeKey())));
    first.release();
    await().until(() -> waiting.acknowledged.get() == 1);
    letGo.countDown();
    first.close();
    assertThat(world.callsUnder(waiting.takeKey())).isZero();
    assertThat(fixture.participant().recover()).isPositive();
    awaitReplies(waiting);
  }

  @Test
  void whoStopsTakesNothingUpAgain() throws Exception {
    Participant first = fixture.participant();
    first.release();
    first.settle(List.of(saga.take()));
    await().until(() -> "true".equals(saga.inbox("lease_expires_at <= now()", saga.takeKey())));
    assertThat(first.recover()).isZero();
    assertThat(fixture.participant().recover()).isPositive();
    awaitReplies(saga);
  }

  @Test
  void closingTwiceIsClosingOnce() {
    Participant participant = fixture.participant();
    participant.close();
    participant.close();
  }

  private static void awaitReplies(Saga saga) {
    await().untilAsserted(() -> assertThat(saga.replies()).containsExactly("MoneyTaken"));
  }
}
