package io.onceflow.inbox.internal.parking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.Fixture;
import io.onceflow.inbox.Saga;
import io.onceflow.inbox.TestConfig;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.IdempotentReceiver;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.inbox.internal.consumer.ReceiverByType;
import io.onceflow.outbox.OwnUnitOfWork;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rule 13: attempts are counted in the database, and used up they are an operator's matter. */
@Timeout(60)
class FailedMessagesTest {

  private static final int ATTEMPTS = TestConfig.inbox().handling().attempts();

  private final Fixture fixture = new Fixture();
  private final ParkedMessages parked =
      new ParkedMessages(Saga.PAYMENTS.source(), Fixture.JSON, fixture.metrics);
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicInteger attempts = new AtomicInteger();
  private RuntimeException failure = new IllegalStateException("there is a bug");
  private final Set<String> slow = new HashSet<>();
  private volatile boolean isLocked;
  private final Saga saga = new Saga();
  private final IdempotentReceiver messages =
      new IdempotentReceiver(
          OwnUnitOfWork.on(Saga.PAYMENTS.source()),
          fixture.parking(),
          new ReceiverByType(
              message -> Optional.of("record-taking"), (tx, fresh) -> handle(fresh)));

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Fails for this test's saga as often as it is to, and always for those that take too long. */
  private void handle(List<InboundMessage> fresh) throws SQLException {
    if (fresh.stream().anyMatch(it -> slow.contains(it.correlationId()))) {
      throw new SQLException("canceling statement due to statement timeout", "57014");
    }
    if (isLocked) {
      attempts.incrementAndGet();
      throw new SQLException("canceling statement due to lock timeout", "55P03");
    }
    if (fresh.stream().anyMatch(it -> saga.correlationId.equals(it.correlationId()))) {
      attempts.incrementAndGet();
      if (failures.getAndDecrement() > 0) {
        throw failure;
      }
    }
  }

  @Test
  void areTriedAgainUntilTheyAreHandled() throws Exception {
    failures.set(3);
    arrive(saga.take());
    assertThat(saga.parkedFor()).as("meanwhile").containsExactly("handling-failed");

    await().until(() -> tryAgainIsEnough());

    assertThat(attempts).hasValue(4);
    assertThat(saga.statusOf(saga.root + ":record-taking")).isEqualTo("COMPLETED");
  }

  /** Before: it was final, though the saga appeared a moment later. */
  @Test
  void areRepliesToASagaThatIsNotVisibleYet() throws Exception {
    failure = new UnprocessableMessage(ParkingReason.UNKNOWN_SAGA, "it does not exist here");
    failures.set(3);
    arrive(saga.take());
    assertThat(saga.parkedFor()).as("meanwhile").containsExactly("unknown-saga");

    await().until(() -> tryAgainIsEnough());

    assertThat(attempts).hasValue(4);
    assertThat(saga.statusOf(saga.root + ":record-taking")).isEqualTo("COMPLETED");
  }

  @Test
  void areGivenUpOnWhenTheirAttemptsAreUsedUp() throws Exception {
    failures.set(1_000);
    arrive(saga.take());

    await().untilAsserted(() -> assertThat(tryAgain().nextAttemptAt()).isNull());
    tryAgain();

    assertThat(attempts).hasValue(ATTEMPTS);
    ParkedMessage left = parkedHere();
    assertThat(left.reason()).isEqualTo("handling-failed");
    assertThat(left.attempts()).isEqualTo(ATTEMPTS);
    assertThat(left.detail()).contains("there is a bug", "attempts exhausted: 5");
  }

  /** It was delivered too often: whatever ended its consumers may be over. */
  @Test
  void includeWhatTheBrokerGaveUpOn() throws Exception {
    messages.park(saga.take(), givenUp(ParkingReason.DELIVERY_LIMIT));

    await().until(() -> tryAgainIsEnough());

    assertThat(saga.statusOf(saga.root + ":record-taking")).isEqualTo("COMPLETED");
  }

  /** As while a table that they need is locked for longer than their attempts take. */
  @Test
  void ofTheBrokerAreTakenOnceNoLockHoldsThemAnyMore() throws Exception {
    isLocked = true;
    messages.park(saga.take(), givenUp(ParkingReason.DEAD_LETTERED));
    for (int turn = 0; turn <= ATTEMPTS; turn++) {
      dueAtOnce();
      soon().tryAgain();
    }
    isLocked = false;

    await().until(() -> tryAgainIsEnough());

    assertThat(saga.statusOf(saga.root + ":record-taking")).isEqualTo("COMPLETED");
  }

  /** Before: as long as there was a row at the end of its type, no message was tried again. */
  @Test
  void areTriedAgainBesideARowThatCannotBeCounted() throws Exception {
    Saga worn = new Saga();
    messages.park(worn.take(), givenUp(ParkingReason.DEAD_LETTERED));
    Saga.PAYMENTS.update(
        """
        UPDATE parked_message
        SET    attempts = 2147483647, next_attempt_at = now() - interval '1 h'
        WHERE  correlation_id = ?
        """,
        worn.correlationId);
    messages.park(saga.take(), givenUp(ParkingReason.DEAD_LETTERED));

    await().until(() -> tryAgainIsEnough());

    assertThat(parkedOf(worn).nextAttemptAt()).as("left to an operator").isNull();
  }

  @Test
  void areTriedAgainBesideARowThatCannotBeRead() throws Exception {
    Saga unreadable = new Saga();
    messages.park(unreadable.take(), givenUp(ParkingReason.DEAD_LETTERED));
    Saga.PAYMENTS.update(
        "UPDATE parked_message SET headers = '[]' WHERE correlation_id = ?",
        unreadable.correlationId);
    messages.park(saga.take(), givenUp(ParkingReason.DEAD_LETTERED));

    await().until(() -> tryAgainIsEnough());

    assertThat(unreadable.parkedFor()).containsExactly("handling-failed");
    Saga.PAYMENTS.update(
        "DELETE FROM parked_message WHERE correlation_id = ?", unreadable.correlationId);
  }

  /** PostgreSQL's clock was an hour ahead at their latest attempt, and has been set back. */
  @Test
  void areTriedAgainThoughTheClockWasSetBack() throws Exception {
    failures.set(1);
    arrive(saga.take());
    Saga.PAYMENTS.update(
        "UPDATE parked_message SET next_attempt_at = now() + interval '1 h' WHERE correlation_id ="
            + " ?",
        saga.correlationId);

    await().until(() -> tryAgainIsEnough());

    assertThat(saga.statusOf(saga.root + ":record-taking")).isEqualTo("COMPLETED");
  }

  private void dueAtOnce() {
    Saga.PAYMENTS.update(
        """
        UPDATE parked_message
        SET    next_attempt_at = now()
        WHERE  correlation_id = ? AND next_attempt_at IS NOT NULL
        """,
        saga.correlationId);
  }

  private static UnprocessableMessage givenUp(ParkingReason reason) {
    return new UnprocessableMessage(reason, "the broker gave it up");
  }

  /** What may have ended its consumers is stored before it is handled, so that attempts count. */
  @Test
  void includeWhatWasDeliveredTooOftenWithoutALimitOfTheBroker() throws Exception {
    Delivery often = saga.with(Map.of("x-delivery-count", "20"), saga.take());
    BatchConsumer intake = fixture.intake(messages);
    intake.accept(often);
    await().until(() -> saga.acknowledged.get() == 1);
    assertThat(attempts).as("handled before it was stored").hasValue(0);
    assertThat(saga.parkedFor()).containsExactly("delivery-limit");

    await().until(() -> tryAgainIsEnough());

    assertThat(saga.statusOf(saga.root + ":record-taking")).isEqualTo("COMPLETED");
  }

  @Test
  void areNotWhatWasDeliveredAFewTimes() throws Exception {
    BatchConsumer intake = fixture.intake(messages);
    intake.accept(saga.with(Map.of("x-delivery-count", "19"), saga.take()));
    await().until(() -> saga.acknowledged.get() == 1);
    assertThat(saga.parkedFor()).isEmpty();
    assertThat(attempts).hasValue(1);
  }

  @Test
  void holdUpNobodyBehindThem() throws Exception {
    failures.set(1_000);
    Saga next = new Saga();
    BatchConsumer intake = fixture.intake(messages);
    intake.accept(saga.take());
    intake.accept(next.take());

    await().until(() -> next.acknowledged.get() == 1);

    assertThat(next.statusOf(next.root + ":record-taking")).isEqualTo("COMPLETED");
    assertThat(saga.acknowledged).hasValue(1);
    assertThat(saga.parkedFor()).containsExactly("handling-failed");
  }

  /** However long another transaction keeps it. */
  @Test
  void areTriedAgainUntilTheirRowIsNotLockedAnyMore() throws Exception {
    failures.set(1);
    arrive(saga.take());
    isLocked = true;
    await()
        .until(
            () -> {
              soon().tryAgain();
              return attempts.get() > 2 * ATTEMPTS;
            });
    assertThat(parkedOf(saga).detail()).contains("not locked any more");
    isLocked = false;

    await().until(() -> tryAgainIsEnough());

    assertThat(saga.statusOf(saga.root + ":record-taking")).isEqualTo("COMPLETED");
  }

  private List<Saga> arriveSlowly() throws Exception {
    List<Saga> sagas = List.of(new Saga(), new Saga(), new Saga());
    sagas.forEach(one -> slow.add(one.correlationId));
    for (Saga one : sagas) {
      arrive(one.take());
    }
    return sagas;
  }

  /** Such as those that concern a row which is locked for long. */
  @Test
  void keepNoOtherFromItsAttemptWhenTheyTakeTooLong() throws Exception {
    List<Saga> stuck = arriveSlowly();
    arrive(failingOnce());

    await().until(() -> tryAgainIsEnough());
    await()
        .untilAsserted(
            () -> {
              soon().tryAgain();
              assertThat(stuck)
                  .allSatisfy(
                      one -> assertThat(parkedOf(one).detail()).contains("attempts exhausted: 5"));
            });

    assertThat(attempts).hasValue(2);
  }

  @Test
  void useUpNoAttemptOfAnotherWhenTheDatabaseGoesAway() throws Exception {
    List<Saga> sagas = arriveSlowly();
    FailedMessages away =
        new FailedMessages(
            some -> {
              throw new SQLException("the connection is gone", "08006");
            },
            parked,
            TestConfig.inbox());

    await()
        .untilAsserted(
            () ->
                assertThatThrownBy(away::tryAgain)
                    .isInstanceOf(SQLException.class)
                    .hasMessage("the connection is gone"));

    assertThat(sagas.stream().mapToLong(one -> attemptsAt(one) - 1).sum()).isLessThanOrEqualTo(1);
  }

  @Test
  void restBetweenTwoAttempts() throws Exception {
    failures.set(1_000);
    arrive(saga.take());
    FailedMessages patient = retrying(Duration.ofHours(1));

    await().untilAsserted(() -> assertThat(attemptsAfterATurnOf(patient)).isEqualTo(2));
    patient.tryAgain();
    patient.tryAgain();

    assertThat(attempts).hasValue(2);
    assertThat(parkedHere().detail()).contains("attempt 2 of 5");
    assertThat(parkedHere().nextAttemptAt()).isNotNull();
  }

  /** The attempt is counted before it is made, so nobody has to live to count it. */
  @Test
  void areGivenUpOnEvenIfTheyTakeTheirProcessWithThem() throws Exception {
    arrive(failingOnce());
    Saga.PAYMENTS.update(
        "UPDATE parked_message SET attempts = ? WHERE correlation_id = ?",
        ATTEMPTS,
        saga.correlationId);

    await().untilAsserted(() -> assertThat(tryAgain().nextAttemptAt()).isNull());

    assertThat(attempts).as("not made once more").hasValue(1);
  }

  @Test
  void areNotTriedAgainWhenTheyCannotBeHandledAnyway() throws Exception {
    messages.settle(
        List.of(
            saga.delivery(null, new byte[0], null, Map.of()),
            saga.delivery("MoneyTaken", new byte[0], null, Map.of("x-idempotency-key", ""))));

    assertThat(
            Saga.PAYMENTS.number(
                "SELECT count(*) FROM parked_message WHERE correlation_id = ? AND next_attempt_at"
                    + " IS NULL",
                saga.correlationId))
        .isEqualTo(2);
  }

  private Delivery failingOnce() {
    failures.set(1);
    return saga.take();
  }

  /** As an intake has it whose batch of one has failed. */
  private void arrive(Delivery delivery) throws Exception {
    try {
      messages.settle(List.of(delivery));
    } catch (SQLException | RuntimeException e) {
      new BatchConsumer.Settling(messages).giveUp(delivery, e);
    }
  }

  private boolean tryAgainIsEnough() throws Exception {
    soon().tryAgain();
    return saga.parkedFor().isEmpty();
  }

  private ParkedMessage tryAgain() throws Exception {
    soon().tryAgain();
    return parkedHere();
  }

  private int attemptsAfterATurnOf(FailedMessages some) throws Exception {
    some.tryAgain();
    return attempts.get();
  }

  private FailedMessages soon() {
    return retrying(Duration.ofMillis(1));
  }

  private FailedMessages retrying(Duration pause) {
    Map<String, Duration> pauses =
        Map.of("handling.first-backoff", pause, "handling.longest-backoff", pause);
    return new FailedMessages(messages, parked, TestConfig.inbox(pauses));
  }

  private long attemptsAt(Saga one) {
    return Saga.PAYMENTS.number(
        "SELECT attempts FROM parked_message WHERE correlation_id = ?", one.correlationId);
  }

  private ParkedMessage parkedHere() throws Exception {
    return parkedOf(saga);
  }

  private ParkedMessage parkedOf(Saga one) throws Exception {
    return parked.newest(null, 500).stream()
        .filter(it -> one.correlationId.equals(it.correlationId()))
        .findFirst()
        .orElseThrow();
  }
}
