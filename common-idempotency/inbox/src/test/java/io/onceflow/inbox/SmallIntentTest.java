package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * While a command is called out for, the broker keeps it: it is acknowledged when the result is
 * committed, and the row of its step has no copy of it. What has to wait here is stored.
 */
@Timeout(60)
class SmallIntentTest {

  private static final Duration SOON = Duration.ofMillis(1);
  private static final InboxConfig QUICK =
      TestConfig.inbox(Map.of("call-out.first-backoff", SOON, "call-out.longest-backoff", SOON));

  private final Fixture fixture = new Fixture();
  private final World world = fixture.world;
  private final Saga saga = new Saga();
  private final HeldDelivery first = new HeldDelivery();
  private final HeldDelivery again = new HeldDelivery();
  private final CountDownLatch letGo = new CountDownLatch(1);

  @AfterEach
  void close() {
    letGo.countDown();
    fixture.close();
  }

  @Test
  void isAcknowledgedWhenTheResultIsCommitted() {
    world.behave(saga.takeKey(), World.until(letGo));
    BatchConsumer intake = fixture.intake(fixture.participant());
    intake.accept(first.of(saga.take()));
    Saga behind = new Saga();
    intake.accept(behind.take());
    await().until(() -> behind.acknowledged.get() == 1 && world.callsUnder(saga.takeKey()) == 1);
    assertThat(saga.inbox("status || coalesce(envelope::text, ' small')", saga.takeKey()))
        .isEqualTo("STARTED small");
    assertThat(first.acknowledged()).isZero();
    letGo.countDown();
    await().until(() -> first.acknowledged() == 1);
    assertThat(saga.replies()).containsExactly("MoneyTaken");
  }

  /** The owner is gone without a word, and the broker delivers again. */
  @Test
  void isTakenOverWhenItComesAgainAndTheLeaseIsOver() throws Exception {
    callBegins();
    Participant successor = fixture.participant();
    fixture.intake(successor).accept(again.of(saga.take()));
    await().until(() -> again.acknowledged() == 1);
    successor.recover();
    assertThat(world.callsUnder(saga.takeKey())).as("the lease is not over").isEqualTo(1);
    saga.endLease(saga.takeKey());
    successor.recover();
    await().untilAsserted(() -> assertThat(saga.replies()).containsExactly("MoneyTaken"));
    assertThat(saga.inbox("fencing_token", saga.takeKey())).isEqualTo("2");
    letGo.countDown();
    await().until(() -> fixture.counted("fenced-off") == 1 && first.acknowledged() == 1);
    assertThat(saga.replies()).containsExactly("MoneyTaken");
  }

  @Test
  void isFoundHoweverLongAfterItsLeaseItComesAgain() throws Exception {
    callBegins();
    Participant successor = fixture.participant();
    successor.recover();
    Saga.PAYMENTS.update(
        "UPDATE inbox_message SET lease_expires_at = now() - interval '9 h' WHERE step_key = ?",
        saga.takeKey());
    successor.settle(List.of(again.of(saga.take())));
    await()
        .untilAsserted(
            () -> {
              successor.recover();
              assertThat(saga.replies()).containsExactly("MoneyTaken");
            });
  }

  /** It saw the step under way, which ends before it is stored. */
  @Test
  void isAnsweredWhenTheStepEndsMeanwhile() throws Exception {
    callBegins();
    try (Connection owner = Saga.PAYMENTS.begin()) {
      Sql.update(
          owner,
          """
          UPDATE inbox_message
          SET    status = 'COMPLETED', completed_at = now(),
                 outcome = '{"type":"MoneyTaken","payload":{},"result":"done"}'
          WHERE  step_key = ?
          """,
          saga.takeKey());
      fixture.intake(fixture.participant()).accept(again.of(saga.take()));
      await().until(() -> waitsForALock() == 1);
      owner.commit();
    }
    await().until(() -> again.acknowledged() == 1);
    assertThat(saga.replies()).containsExactly("MoneyTaken");
    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(1);
  }

  private static int waitsForALock() {
    return Integer.parseInt(
        String.valueOf(
            Saga.PAYMENTS.text(
                """
                SELECT count(*)
                FROM   pg_stat_activity
                WHERE  wait_event_type = 'Lock'
                AND    query LIKE '%UPDATE inbox_message%'
                """)));
  }

  @Test
  void isStoredAndAcknowledgedWhenItsCallFailed() throws Exception {
    Participant participant = fixture.participant(QUICK);
    world.behave(saga.takeKey(), World.failing(), World.failing());
    participant.settle(List.of(first.of(saga.take())));
    await().until(() -> first.acknowledged() == 1);
    await()
        .untilAsserted(
            () -> {
              participant.recover();
              assertThat(saga.replies()).containsExactly("MoneyTaken");
            });
    assertThat(saga.inbox("attempts", saga.takeKey())).isEqualTo("3");
    assertThat(first.acknowledged()).isEqualTo(1);
  }

  /** Any replica goes on with it at once. */
  @Test
  void isStoredAndAcknowledgedWhenItsProcessStops() throws Exception {
    InboxConfig impatient = TestConfig.inbox(Map.of("call-out.stop-within", SOON));
    Participant stopping = fixture.participant(impatient);
    world.behave(saga.takeKey(), World.until(letGo));
    stopping.settle(List.of(first.of(saga.take())));
    await().until(() -> world.callsUnder(saga.takeKey()) == 1);
    stopping.close();
    assertThat(first.acknowledged()).isEqualTo(1);
    fixture.participant().recover();
    await().untilAsserted(() -> assertThat(saga.replies()).containsExactly("MoneyTaken"));
  }

  /** The broker may have lost it: a compensation does not wait for ever. */
  @Test
  void isEndedAsUnknownByItsCompensationWhenItDoesNotComeAgain() throws Exception {
    callBegins();
    Participant other = fixture.participant();
    other.settle(List.of(saga.giveBack()));
    assertThat(saga.statusOf(saga.giveBackKey()))
        .as("its owner has its lease")
        .isEqualTo("STARTED");
    saga.endLease(saga.takeKey());
    saga.endLease(saga.giveBackKey());
    other.recover();
    await().until(() -> "COMPLETED".equals(saga.statusOf(saga.giveBackKey())));
    assertThat(saga.statusOf(saga.takeKey())).isEqualTo("COMPLETED");
    letGo.countDown();
    await().until(() -> fixture.counted("fenced-off") == 1);
    assertThat(saga.charge()).isNotEqualTo("CHARGED");
  }

  /** An owner has taken the message, and its call waits. */
  private void callBegins() throws SQLException {
    world.behave(saga.takeKey(), World.until(letGo));
    fixture.participant().settle(List.of(first.of(saga.take())));
    await().until(() -> world.callsUnder(saga.takeKey()) == 1);
  }
}
