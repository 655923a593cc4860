package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.IdempotentReceiver;
import io.onceflow.inbox.internal.consumer.ReceiverByType;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.outbox.OwnUnitOfWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Two orchestrators, and two steps of one saga, that share root key, scope and even the subject.
 */
class OriginsTest {

  private static final String ORIGIN = "x-saga-origin";
  private static final String STEP = "x-saga-step";
  private static final String UNDOES = "x-saga-undoes";

  private final Saga saga = new Saga();
  private final Fixture fixture = new Fixture();
  private final World world = fixture.world;
  private final Participant participant = fixture.participant();

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Seen red: the second one was parked as a fingerprint-mismatch. */
  @Test
  void anotherOrchestratorWithTheSameRootKeyIsUnrelated() throws Exception {
    participant.settle(List.of(of("shop/sell", saga.take())));
    participant.settle(List.of(of("hotel/book", saga.take(Handlers.DECLINED))));
    await()
        .untilAsserted(
            () ->
                assertThat(saga.replies())
                    .containsExactlyInAnyOrder("MoneyTaken", "MoneyDeclined"));
    assertThat(saga.parkedFor()).isEmpty();
    assertThat(world.callsUnder(saga.takeKey() + "@shop/sell")).isEqualTo(1);
  }

  @Test
  void aCommandWithoutAnOriginHasKeysWithoutOne() throws Exception {
    participant.settle(List.of(saga.take(), of("shop/sell", saga.take())));
    await().untilAsserted(() -> assertThat(saga.replies()).hasSize(2));
    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(1);
    assertThat(saga.statusOf(saga.takeKey())).isEqualTo("COMPLETED");
  }

  /** Seen red: the second step was answered with what the first came to. */
  @Test
  void oneCommandServesTwoStepsOfASaga() throws Exception {
    participant.settle(List.of(step("deposit", saga.take()), step("rest", saga.take())));
    await().untilAsserted(() -> assertThat(saga.replies()).hasSize(2));
    assertThat(world.callsUnder(saga.root + ":deposit@shop/sell")).isEqualTo(1);
    assertThat(world.callsUnder(saga.root + ":rest@shop/sell")).isEqualTo(1);
  }

  @Test
  void aCompensationLeavesItsTombstoneForTheStepThatItNames() throws Exception {
    Delivery undo = saga.with(Map.of(UNDOES, "rest"), step("undo-rest", saga.giveBack()));
    participant.settle(List.of(undo));
    participant.settle(List.of(step("rest", saga.take()), step("deposit", saga.take())));
    await()
        .untilAsserted(
            () ->
                assertThat(saga.replies())
                    .containsExactlyInAnyOrder("MoneyGivenBack", "TakingCancelled", "MoneyTaken"));
    assertThat(saga.statusOf(saga.root + ":rest@shop/sell")).isEqualTo("TOMBSTONE");
  }

  /** Seen red: it was carried out as a step, and what it was to undo took effect after it. */
  @Test
  void aCompensationWhoseHandlerUndoesNothingIsParked() throws Exception {
    Delivery undo = saga.with(Map.of(UNDOES, "rest"), step("undo-rest", saga.take()));
    participant.settle(List.of(undo));
    assertThat(saga.parkedFor()).containsExactly("malformed");
    assertThat(saga.replies()).isEmpty();
    assertThat(world.callsUnder(saga.root + ":undo-rest@shop/sell")).isZero();
  }

  /** What is taken over after a crash is taken up under the same key. */
  @Test
  void aStepThatIsTakenOverKeepsItsIdentity() throws Exception {
    String key = saga.root + ":deposit@shop/sell";
    world.behave(key, World.failing());
    participant.settle(List.of(step("deposit", saga.take())));
    await()
        .untilAsserted(
            () -> {
              saga.endLease(key);
              participant.recover();
              assertThat(saga.identityOfReplies()).containsExactly("shop/sell deposit done");
            });
    assertThat(world.callsUnder(key)).isGreaterThanOrEqualTo(2);
  }

  @Test
  void whatIsReceivedOnceIsRecordedApartForEachOrigin() throws Exception {
    int[] seen = {0};
    IdempotentReceiver receiver =
        new IdempotentReceiver(
            OwnUnitOfWork.on(Saga.PAYMENTS.source()),
            fixture.parking(),
            new ReceiverByType(
                message -> Optional.of("record-taking"), (tx, fresh) -> seen[0] += fresh.size()));
    Delivery one = saga.command("MoneyTaken", "{}");
    Delivery other = of("hotel/book", saga.command("MoneyTaken", "{\"other\":1}"));
    receiver.settle(List.of(one, other));
    receiver.settle(List.of(one, other));
    assertThat(seen[0]).isEqualTo(2);
  }

  private Delivery of(String origin, Delivery delivery) {
    return saga.with(Map.of(ORIGIN, origin), delivery);
  }

  private Delivery step(String step, Delivery delivery) {
    return saga.with(Map.of(ORIGIN, "shop/sell", STEP, step), delivery);
  }
}
