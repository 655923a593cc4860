package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.PendingSteps;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Steps whose participant has begun and waits for the world. Seen red when the first answer was
 * told every time, when a repeat was not answered, when a look counted as an attempt or the
 * command's expiry ended it, when an event during an attempt was forgotten, and when a compensation
 * waited for the world.
 */
@Timeout(60)
class PendingStepsTest {

  private static final long AN_HOUR = 3_600;

  private final Fixture fixture = new Fixture();
  private final World world = fixture.world;
  private final PendingSteps events = new PendingSteps(Saga.PAYMENTS.source());
  private final Saga saga = new Saga();
  private volatile boolean isSettled;
  private WaitingBank.Settlements bank = key -> isSettled;
  private final Participant participant = participant(true);

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void tellsTheSagaOnceAndAnswersWhenTheWorldHas() throws Exception {
    becomePending();
    lookAgain(2);
    assertThat(saga.replies()).containsExactly("StepPending");
    assertThat(saga.identityOfReplies()).containsExactly("- - pending");
    assertThat(saga.payloadsOf("StepPending")).containsExactly("{}");
    isSettled = true;
    lookAgainUntilItIsTaken(3);
    assertThat(saga.statusOf(saga.takeKey())).isEqualTo("COMPLETED");
    assertThat(saga.charge()).isEqualTo("CHARGED");
    assertThat(fixture.counted("pending")).isEqualTo(1);
  }

  @Test
  void answersARepeatedCommandAsPendingAndDoesNotAskTheWorldForIt() throws Exception {
    becomePending();
    participant.settle(List.of(takeAwaited()));
    assertThat(saga.replies()).containsExactly("StepPending", "StepPending");
    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(1);
  }

  /** The saga's last question comes days after the command has expired. */
  @Test
  void answersARepeatedCommandHoweverLateItComes() throws Exception {
    Delivery late =
        saga.with(awaitWithin(), saga.takeBefore(Instant.now().minusSeconds(2 * AN_HOUR)));
    becomePending();
    waitedFor(Duration.ofSeconds(AN_HOUR));
    participant.settle(List.of(late));
    awaitReplies("StepPending", "StepPending");
    isSettled = true;
    lookAgain(2);
    awaitReplies("StepPending", "StepPending", "MoneyTaken");
    participant.settle(List.of(late));
    awaitReplies("StepPending", "StepPending", "MoneyTaken", "MoneyTaken");
    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(2);
  }

  @Test
  void isAskedAgainAtOnceWhenAnEventSaysSo() throws Exception {
    becomePending();
    participant.recover();
    assertThat(world.callsUnder(saga.takeKey())).as("it rests").isEqualTo(1);
    isSettled = true;
    assertThat(events.decideAgain(takeCall())).isEqualTo(PendingSteps.Result.WOKEN);
    participant.recover();
    awaitReplies("StepPending", "MoneyTaken");
    assertThat(events.decideAgain(takeCall())).isEqualTo(PendingSteps.Result.ENDED);
    assertThat(events.decideAgain(takeCall().sibling("other")))
        .isEqualTo(PendingSteps.Result.UNKNOWN);
  }

  /**
   * The bank has answered that it has not decided, decides, and tells so before that is written.
   */
  @Test
  void doesNotForgetAnEventThatComesWhileItIsAsked() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch told = new CountDownLatch(1);
    bank =
        key -> {
          boolean answer = isSettled;
          asked.countDown();
          told.await();
          return answer;
        };
    participant.settle(List.of(takeAwaited()));
    asked.await();
    isSettled = true;
    assertThat(events.decideAgain(takeCall())).isEqualTo(PendingSteps.Result.UNDER_WAY);
    told.countDown();
    awaitReplies("StepPending");
    participant.recover();
    awaitReplies("StepPending", "MoneyTaken");
  }

  @Test
  void restsAgainAfterAnEventThatChangedNothing() throws Exception {
    becomePending();
    events.decideAgain(takeCall());
    participant.recover();
    await().until(() -> "2".equals(saga.inbox("pending_token", saga.takeKey())));

    participant.recover();

    assertThat(saga.inbox("fencing_token", saga.takeKey())).as("not taken up").isEqualTo("2");
    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(2);
  }

  /** The first attempt's lease has ended; its successor is under way when it comes back. */
  @Test
  void doesNotRestByTheAnswerOfAnAttemptWhoseLeaseHasEnded() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch second = new CountDownLatch(1);
    bank =
        key -> {
          if (world.callsUnder(saga.takeKey()) == 1) {
            first.await();
            return false;
          }
          second.await();
          return true;
        };
    participant.settle(List.of(takeAwaited()));
    await().until(() -> world.callsUnder(saga.takeKey()) == 1);
    saga.endLease(saga.takeKey());
    participant.recover();
    await().until(() -> world.callsUnder(saga.takeKey()) == 2);

    first.countDown();
    await().untilAsserted(() -> assertThat(fixture.counted("fenced-off")).isEqualTo(1));
    assertThat(saga.inbox("pending_token", saga.takeKey())).isNull();
    assertThat(saga.replies()).isEmpty();

    second.countDown();
    awaitReplies("MoneyTaken");
  }

  @Test
  void countsAsFailedWhereTheSagaDoesNotWait() throws Exception {
    participant.settle(List.of(saga.takeBefore(Instant.now().plusSeconds(AN_HOUR))));
    await().untilAsserted(() -> assertThat(fixture.counted("call-failed")).isEqualTo(1));
    assertThat(saga.replies()).isEmpty();
    assertThat(saga.inbox("pending_since", saga.takeKey())).isNull();
    for (int attempt = 2; attempt <= 3; attempt++) {
      lookAgain(attempt);
    }
    awaitReplies("TakingInDoubt");
  }

  @Test
  void isEndedByNeitherItsAttemptsNorTheCommandsExpiry() throws Exception {
    becomePending();
    expire();
    world.behave(
        saga.takeKey(), World.failing(), World.failing(), World.failing(), World.failing());
    for (int call = 2; call <= 6; call++) {
      lookAgain(call);
    }
    isSettled = true;
    lookAgainUntilItIsTaken(7);
  }

  @Test
  void isGivenUpOnWhenItsOwnTimeIsOver() throws Exception {
    becomePending();
    waitedFor(Duration.ofSeconds(AN_HOUR));
    lookAgain(2);
    awaitRest();
    waitedFor(Duration.ofSeconds(2 * AN_HOUR));
    saga.endLease(saga.takeKey());
    participant.recover();
    awaitReplies("StepPending", "TakingInDoubt");
    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(2);
  }

  /** Past the pivot, and of a pivot: the saga would not take an answer that leaves it in doubt. */
  @Test
  void isNeverGivenUpOnWhereTheCommandDoesNotExpire() throws Exception {
    participant.settle(List.of(saga.with(awaitWithin(), saga.take())));
    awaitReplies("StepPending");
    waitedFor(Duration.ofDays(30));
    lookAgain(2);
    isSettled = true;
    lookAgainUntilItIsTaken(3);
  }

  @Test
  void itsCompensationEndsItInsteadOfWaitingForTheWorld() throws Exception {
    becomePending();
    participant.settle(List.of(saga.giveBack()));
    awaitReplies("StepPending", "MoneyGivenBack");
    assertThat(world.callsUnder(saga.giveBackKey())).as("it may have been done").isEqualTo(1);
    assertThat(saga.statusOf(saga.takeKey())).isEqualTo("COMPLETED");
    participant.settle(List.of(takeAwaited()));
    awaitReplies("StepPending", "MoneyGivenBack", "TakingInDoubt");
    assertThat(events.decideAgain(takeCall())).isEqualTo(PendingSteps.Result.ENDED);
  }

  @Test
  void itsCompensationWaitsForTheAttemptUnderWay() throws Exception {
    becomePending();
    CountDownLatch letGo = new CountDownLatch(1);
    world.behave(saga.takeKey(), World.until(letGo));
    saga.endLease(saga.takeKey());
    participant.recover();
    await().until(() -> world.callsUnder(saga.takeKey()) == 2);
    participant.settle(List.of(saga.giveBack()));
    assertThat(world.callsUnder(saga.giveBackKey())).isZero();
    assertThat(saga.statusOf(saga.takeKey())).isEqualTo("STARTED");
    letGo.countDown();
    await()
        .untilAsserted(
            () -> {
              saga.endLease(saga.giveBackKey());
              participant.recover();
              assertThat(saga.replies()).containsExactly("StepPending", "MoneyGivenBack");
            });
  }

  @Test
  void mayBeDecidedInTheTransactionOfTheStepAsWell() throws Exception {
    Participant local = participant(false);
    local.settle(List.of(takeAwaited()));
    assertThat(saga.replies()).containsExactly("StepPending");
    assertThat(saga.inbox("attempts", saga.takeKey())).isEqualTo("0");
    isSettled = true;
    assertThat(events.decideAgain(takeCall())).isEqualTo(PendingSteps.Result.WOKEN);
    local.recover();
    assertThat(saga.replies()).containsExactly("StepPending", "MoneyTaken");
  }

  @Test
  void countsAsFailedInTheTransactionOfTheStepWhereTheSagaDoesNotWait() throws Exception {
    Participant local = participant(false);
    local.settle(List.of(saga.take()));
    assertThat(saga.replies()).isEmpty();
    assertThat(saga.inbox("attempts", saga.takeKey())).isEqualTo("1");
    assertThat(saga.inbox("pending_since", saga.takeKey())).isNull();
  }

  private Participant participant(boolean callsOut) {
    return fixture.participant(
        TestConfig.inbox(Map.of("call-out.attempts", 3)),
        Saga.PAYMENTS.source(),
        new WaitingBank(world, key -> bank.isSettled(key), callsOut),
        new Handlers.GiveBack(world));
  }

  private void becomePending() throws Exception {
    participant.settle(List.of(takeAwaited()));
    awaitReplies("StepPending");
  }

  private Delivery takeAwaited() {
    return saga.with(awaitWithin(), saga.takeBefore(Instant.now().plusSeconds(AN_HOUR)));
  }

  private static Map<String, String> awaitWithin() {
    return Map.of(MessageHeaders.AWAIT_WITHIN, Long.toString(AN_HOUR));
  }

  /** Takes the step up once, and waits until that call has been made. */
  private void lookAgain(int calls) throws Exception {
    String before = saga.inbox("fencing_token", saga.takeKey());
    await()
        .untilAsserted(
            () -> {
              saga.endLease(saga.takeKey());
              participant.recover();
              assertThat(saga.inbox("fencing_token", saga.takeKey())).isNotEqualTo(before);
            });
    await().until(() -> world.callsUnder(saga.takeKey()) >= calls);
  }

  /** A look may end the lease of the one before it, whose result is then refused. */
  private void lookAgainUntilItIsTaken(int calls) throws Exception {
    lookAgain(calls);
    await()
        .untilAsserted(
            () -> {
              saga.endLease(saga.takeKey());
              participant.recover();
              assertThat(saga.replies()).containsExactly("StepPending", "MoneyTaken");
            });
  }

  /** What the last look came to is written. */
  private void awaitRest() {
    await()
        .untilAsserted(
            () ->
                assertThat(saga.inbox("pending_token", saga.takeKey()))
                    .isEqualTo(saga.inbox("fencing_token", saga.takeKey())));
  }

  private void expire() {
    Saga.PAYMENTS.update(
        """
        UPDATE inbox_message
        SET    envelope = jsonb_set(envelope::jsonb, '{expiresAt}', '"2020-01-01T00:00:00Z"')
        WHERE  step_key = ?
        """,
        saga.takeKey());
  }

  private void waitedFor(Duration time) {
    Saga.PAYMENTS.update(
        "UPDATE inbox_message SET pending_since = now() - ? * interval '1 s' WHERE step_key = ?",
        time.toSeconds(),
        saga.takeKey());
  }

  private CallKey takeCall() {
    return new CallKey("ada", StepKey.parse(saga.takeKey()));
  }

  private void awaitReplies(String... types) {
    await().untilAsserted(() -> assertThat(saga.replies()).containsExactly(types));
  }
}
