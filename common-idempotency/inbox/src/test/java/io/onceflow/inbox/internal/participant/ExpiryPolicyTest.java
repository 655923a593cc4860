package io.onceflow.inbox.internal.participant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.Fixture;
import io.onceflow.inbox.Saga;
import io.onceflow.inbox.TestConfig;
import io.onceflow.inbox.World;
import io.onceflow.inbox.internal.call.CallNotPermitted;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Actions that cannot be done, and those that are not wanted any more (rules 8, 9 and 11). */
@Timeout(60)
class ExpiryPolicyTest {

  private static final Instant SOME_DAY = Instant.now().plus(Duration.ofHours(1));
  private static final Instant BEFORE = Instant.now().minus(Duration.ofSeconds(1));

  private final Fixture fixture = new Fixture();
  private final World world = fixture.world;
  private final Participant participant =
      fixture.participant(
          TestConfig.inbox(
              Map.of(
                  "call-out.attempts",
                  3,
                  "call-out.first-backoff",
                  Duration.ofMillis(1),
                  "call-out.longest-backoff",
                  Duration.ofMillis(5))));
  private final Saga saga = new Saga();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void anActionWhoseAttemptsAreUsedUpIsAnsweredAsInDoubt() throws Exception {
    world.behave(saga.takeKey(), failing(10));
    participant.settle(List.of(saga.takeBefore(SOME_DAY)));
    awaitRecovered("TakingInDoubt");

    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(3);
    assertThat(saga.inbox("attempts", saga.takeKey())).isEqualTo("3");
    await().untilAsserted(() -> assertThat(fixture.counted("given-up")).isEqualTo(1));
  }

  @Test
  void itsRepeatIsAnsweredTheSameAndCallsNobody() throws Exception {
    world.behave(saga.takeKey(), failing(3));
    participant.settle(List.of(saga.takeBefore(SOME_DAY)));
    awaitRecovered("TakingInDoubt");
    participant.settle(List.of(saga.takeBefore(SOME_DAY)));

    assertThat(saga.replies()).containsExactly("TakingInDoubt", "TakingInDoubt");
    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(3);
  }

  @Test
  void theCompensationOfAnActionInDoubtAsksTheOutsideWorld() throws Exception {
    world.behave(saga.takeKey(), failing(3));
    participant.settle(List.of(saga.takeBefore(SOME_DAY)));
    awaitRecovered("TakingInDoubt");
    participant.settle(List.of(saga.giveBack()));
    awaitRecovered("TakingInDoubt", "MoneyGivenBack");

    assertThat(world.callsUnder(saga.giveBackKey())).isEqualTo(1);
  }

  @Test
  void anActionThatNeverExpiresIsNeverGivenUpOn() throws Exception {
    world.behave(saga.takeKey(), failing(7));
    participant.settle(List.of(saga.take()));
    awaitRecovered("MoneyTaken");

    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(8);
  }

  @Test
  void aCompensationIsNeverGivenUpOn() throws Exception {
    participant.settle(List.of(saga.takeBefore(SOME_DAY)));
    awaitRecovered("MoneyTaken");
    world.behave(saga.giveBackKey(), failing(7));
    participant.settle(List.of(saga.giveBack()));
    awaitRecovered("MoneyTaken", "MoneyGivenBack");

    assertThat(world.callsUnder(saga.giveBackKey())).isEqualTo(8);
  }

  /**
   * Each is over and taken back before the next: of a call whose lease ends while it is under way
   * nobody knows that it was not made, so that one counts.
   */
  @Test
  void callsThatWereNotMadeDoNotCount() throws Exception {
    World.Manner notMade =
        () -> {
          throw new CallNotPermitted("the circuit is open");
        };
    world.behave(saga.takeKey(), Collections.nCopies(5, notMade).toArray(World.Manner[]::new));
    participant.settle(List.of(saga.takeBefore(SOME_DAY)));
    await()
        .untilAsserted(
            () -> {
              if ("0".equals(saga.inbox("attempts", saga.takeKey()))) {
                saga.endLease(saga.takeKey());
                participant.recover();
              }
              assertThat(saga.replies()).containsExactly("MoneyTaken");
            });

    assertThat(saga.inbox("attempts", saga.takeKey())).isEqualTo("1");
  }

  @Test
  void anActionThatComesAfterItsTimeIsNotBegunNowOrLater() throws Exception {
    participant.settle(List.of(saga.takeBefore(BEFORE)));
    participant.settle(List.of(saga.takeBefore(SOME_DAY), saga.take()));

    assertThat(saga.replies()).containsExactly("TakingExpired", "TakingExpired", "TakingExpired");
    assertThat(world.callsUnder(saga.takeKey())).isZero();
  }

  @Test
  void anActionThatWasDoneInTimeIsAnsweredAfterIt() throws Exception {
    participant.settle(List.of(saga.takeBefore(SOME_DAY)));
    awaitRecovered("MoneyTaken");
    participant.settle(List.of(saga.takeBefore(BEFORE)));

    assertThat(saga.replies()).containsExactly("MoneyTaken", "MoneyTaken");
  }

  @Test
  void anActionWhoseTimeEndsWhileItIsTriedIsInDoubt() throws Exception {
    CountDownLatch letGo = new CountDownLatch(1);
    Instant soon = Instant.now().plusMillis(300);
    world.behave(
        saga.takeKey(),
        () -> {
          letGo.await();
          throw new IllegalStateException("503");
        });
    participant.settle(List.of(saga.takeBefore(soon)));
    await().until(() -> world.callsUnder(saga.takeKey()) == 1 && Instant.now().isAfter(soon));
    letGo.countDown();
    awaitRecovered("TakingInDoubt");

    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(1);
  }

  @Test
  void anActionWhoseOwnersDieOneAfterTheOtherIsNotTriedForEver() throws Exception {
    participant.settle(List.of(saga.takeBefore(SOME_DAY)));
    awaitRecovered("MoneyTaken");
    Saga other = new Saga();
    Saga.PAYMENTS.update(
        """
        INSERT INTO inbox_message (scope, step_key, fingerprint, status, attempts, envelope, lease_expires_at)
        SELECT 'ada', ?, '\\x01', 'STARTED', 3, ?::json, now() - interval '1 ms'
        """,
        other.takeKey(),
        Fixture.JSON.writeValueAsString(InboundMessage.read(other.takeBefore(SOME_DAY))));
    await()
        .untilAsserted(
            () -> {
              participant.recover();
              assertThat(other.replies()).containsExactly("TakingInDoubt");
            });

    assertThat(world.callsUnder(other.takeKey())).isZero();
  }

  private static World.Manner[] failing(int times) {
    return Collections.nCopies(times, World.failing()).toArray(World.Manner[]::new);
  }

  private void awaitRecovered(String... types) {
    await()
        .untilAsserted(
            () -> {
              participant.recover();
              assertThat(saga.replies()).containsExactly(types);
            });
  }
}
