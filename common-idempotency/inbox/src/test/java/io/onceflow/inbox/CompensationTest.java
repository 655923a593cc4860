package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.participant.Participant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Rule 6: a compensation never misses. Seen red when the tombstone was left out (the late action
 * took the money), and when a running action was taken for one that had not begun.
 */
@Timeout(60)
class CompensationTest {

  private final Fixture fixture = new Fixture();
  private final World world = fixture.world;
  private final Participant participant = fixture.participant();
  private final Saga saga = new Saga();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void undoesWhatWasDone() throws Exception {
    participant.settle(List.of(saga.take()));
    awaitReplies("MoneyTaken");
    participant.settle(List.of(saga.giveBack()));
    awaitReplies("MoneyTaken", "MoneyGivenBack");
    assertThat(saga.payloadsOf("MoneyGivenBack").getFirst()).contains("\"amount\":42");
    assertThat(saga.charge()).isEqualTo("REFUNDED");
    assertThat(world.callsUnder(saga.giveBackKey())).isEqualTo(1);
  }

  @Test
  void leavesATombstoneWhenItComesFirst() throws Exception {
    participant.settle(List.of(saga.giveBack()));
    assertThat(saga.replies()).containsExactly("MoneyGivenBack");
    assertThat(saga.statusOf(saga.takeKey())).isEqualTo("TOMBSTONE");
    assertThat(world.callsUnder(saga.giveBackKey())).isZero();
  }

  @Test
  void cancelsTheActionThatComesAfterIt() throws Exception {
    participant.settle(List.of(saga.giveBack()));
    participant.settle(List.of(saga.take()));
    participant.settle(List.of(saga.take()));
    assertThat(saga.replies())
        .containsExactly("MoneyGivenBack", "TakingCancelled", "TakingCancelled");
    assertThat(world.hasEffectUnder(saga.takeKey())).isFalse();
    assertThat(saga.charge()).isNull();
  }

  @Test
  void cancelsTheActionThatComesAfterItInTheSameBatch() throws Exception {
    participant.settle(List.of(saga.giveBack(), saga.take()));
    assertThat(saga.replies()).containsExactlyInAnyOrder("MoneyGivenBack", "TakingCancelled");
    assertThat(world.hasEffectUnder(saga.takeKey())).isFalse();
  }

  @Test
  void answersARepeatWithoutASecondTombstone() throws Exception {
    participant.settle(List.of(saga.giveBack(), saga.giveBack()));
    participant.settle(List.of(saga.giveBack()));
    assertThat(saga.replies()).hasSize(3).containsOnly("MoneyGivenBack");
  }

  @Test
  void waitsForTheActionThatRuns() throws Exception {
    CountDownLatch letGo = new CountDownLatch(1);
    world.behave(saga.takeKey(), World.until(letGo));
    participant.settle(List.of(saga.take()));
    participant.settle(List.of(saga.giveBack()));
    assertThat(saga.statusOf(saga.giveBackKey())).isEqualTo("STARTED");
    for (int i = 0; i < 3; i++) {
      saga.endLease(saga.giveBackKey());
      participant.recover();
    }
    assertThat(saga.replies()).isEmpty();
    assertThat(world.callsUnder(saga.giveBackKey())).isZero();
    letGo.countDown();
    awaitReplies("MoneyTaken");
    awaitRecovered("MoneyTaken", "MoneyGivenBack");
    assertThat(saga.charge()).isEqualTo("REFUNDED");
    assertThat(world.callsUnder(saga.giveBackKey())).isEqualTo(1);
  }

  @Test
  void waitsForTheActionThatBeganInTheSameBatch() throws Exception {
    participant.settle(List.of(saga.take(), saga.giveBack()));
    awaitRecovered("MoneyTaken", "MoneyGivenBack");
    assertThat(saga.charge()).isEqualTo("REFUNDED");
  }

  @Test
  void waitsForTheActionWhoseOwnerIsGone() throws Exception {
    world.behave(saga.takeKey(), World.until(new CountDownLatch(1)));
    participant.settle(List.of(saga.take()));
    participant.close();
    Participant successor = fixture.participant();
    successor.settle(List.of(saga.giveBack()));
    assertThat(saga.replies()).isEmpty();
    await()
        .untilAsserted(
            () -> {
              saga.endLease(saga.takeKey());
              saga.endLease(saga.giveBackKey());
              successor.recover();
              assertThat(saga.replies()).containsExactly("MoneyTaken", "MoneyGivenBack");
            });
    assertThat(saga.charge()).isEqualTo("REFUNDED");
  }

  /** Seen red: it collided with the action's row for ever, and held its queue up. */
  @Test
  void endsWhenTheActionWasDoneWithoutEffect() throws Exception {
    participant.settle(List.of(saga.take(Handlers.DECLINED)));
    participant.settle(List.of(saga.giveBack()));
    awaitReplies("MoneyDeclined", "MoneyGivenBack");
    assertThat(saga.statusOf(saga.takeKey())).isEqualTo("COMPLETED");
    participant.settle(List.of(saga.take(Handlers.DECLINED)));
    assertThat(saga.replies()).containsExactly("MoneyDeclined", "MoneyGivenBack", "MoneyDeclined");
  }

  /** Seen red: the row of the charge stood, and nothing was given back. */
  @Test
  void undoesWhatWasDoneThoughTheInboxHasForgottenIt() throws Exception {
    participant.settle(List.of(saga.take()));
    awaitReplies("MoneyTaken");
    Saga.PAYMENTS.update("DELETE FROM inbox_message WHERE step_key = ?", saga.takeKey());
    participant.settle(List.of(saga.giveBack()));
    awaitReplies("MoneyTaken", "MoneyGivenBack");
    assertThat(saga.charge()).isEqualTo("REFUNDED");
  }

  /** Whoever is first, by whichever participant: money that was taken is given back. */
  @Test
  void neverMissesHoweverTheTwoRace() throws Exception {
    Participant other = fixture.participant();
    BatchConsumer takes = fixture.intake(participant);
    BatchConsumer givesBack = fixture.intake(other);
    List<Saga> sagas = Stream.generate(Saga::new).limit(40).toList();
    for (Saga one : sagas) {
      takes.accept(one.take());
      givesBack.accept(one.giveBack());
    }
    await()
        .untilAsserted(
            () -> {
              participant.recover();
              assertThat(sagas).allMatch(one -> one.replies().size() == 2);
            });
    List<String> outcomes = new ArrayList<>();
    for (Saga one : sagas) {
      assertThat(one.replies()).contains("MoneyGivenBack");
      assertThat(one.parkedFor()).isEmpty();
      assertThat(world.hasEffectUnder(one.takeKey()))
          .isEqualTo(world.hasEffectUnder(one.giveBackKey()));
      outcomes.add(String.valueOf(one.charge()));
    }
    assertThat(outcomes).isSubsetOf("REFUNDED", "null");
  }

  private void awaitReplies(String... types) {
    await().untilAsserted(() -> assertThat(saga.replies()).containsExactly(types));
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
