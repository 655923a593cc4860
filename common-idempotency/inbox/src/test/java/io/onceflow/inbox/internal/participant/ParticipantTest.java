package io.onceflow.inbox.internal.participant;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.Charge;
import io.onceflow.inbox.Fixture;
import io.onceflow.inbox.Handlers;
import io.onceflow.inbox.Handlers.TakeMoney;
import io.onceflow.inbox.Saga;
import io.onceflow.inbox.TestConfig;
import io.onceflow.inbox.World;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.participant.Answer;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.Handles;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands are carried out exactly once, and answered however often they come. */
@Timeout(60)
class ParticipantTest {

  private static final String OPEN_TRANSACTIONS =
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE  datname = current_database() AND state LIKE 'idle in transaction%'
      """;

  private final Fixture fixture = new Fixture();
  private final World world = fixture.world;
  private final Participant participant = fixture.participant();
  private final Saga saga = new Saga();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void carriesOutACommandAndAnswers() throws Exception {
    participant.settle(List.of(saga.take()));
    awaitReplies("MoneyTaken");
    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(1);
    assertThat(saga.charge()).isEqualTo("CHARGED");
    assertThat(saga.statusOf(saga.takeKey())).isEqualTo("COMPLETED");
  }

  @Test
  void answersWhereItWasToldWithAllThatTheSagaNeeds() throws Exception {
    participant.settle(List.of(saga.take()));
    awaitReplies("MoneyTaken");
    String reply =
        """
        SELECT concat_ws(' ', exchange, routing_key, aggregatetype, aggregateid,
                 headers->>'x-idempotency-key', headers->>'x-idempotency-scope',
                 headers->>'x-message-version', headers->>'traceparent')
        FROM   outbox_message
        WHERE  correlation_id = ?
        """;
    assertThat(Saga.PAYMENTS.text(reply, saga.correlationId))
        .isEqualTo(
            "onceflow.replies order-service.test-service reply %s %s ada 1 00-0af7651916cd43dd8448eb211c80319c-01",
            saga.subject, saga.root);
    assertThat(saga.payloadsOf("MoneyTaken").getFirst())
        .startsWith("{\"subject\":\"%s\",\"reference\":\"taken".formatted(saga.subject));
  }

  @Test
  void repeatsOriginAndStepAndSaysTheOutcome() throws Exception {
    Map<String, String> identity =
        Map.of("x-saga-origin", "shop/sell", "x-saga-step", "take-the-deposit");
    participant.settle(List.of(saga.with(identity, saga.take(Handlers.DECLINED))));
    assertThat(saga.identityOfReplies()).containsExactly("shop/sell take-the-deposit refused");
  }

  /** A command whose sender names no origin, so that its replies must name none. */
  @Test
  void namesNoOriginWhereTheCommandNamesNone() throws Exception {
    participant.settle(List.of(saga.take()));
    awaitReplies("MoneyTaken");
    assertThat(saga.identityOfReplies()).containsExactly("- - done");
  }

  /** Rule 12 for outcomes. */
  @Test
  void saysTheOutcomeAgain() throws Exception {
    Delivery command = saga.take(Handlers.DECLINED);
    participant.settle(List.of(command));
    participant.settle(List.of(command));
    assertThat(saga.identityOfReplies()).containsExactly("- - refused", "- - refused");
  }

  @Test
  void hasNoTransactionOpenWhileItCalls() throws Exception {
    var seen = new CompletableFuture<Long>();
    world.behave(saga.takeKey(), () -> seen.complete(Saga.PAYMENTS.number(OPEN_TRANSACTIONS)));
    participant.settle(List.of(saga.take()));
    assertThat(seen.get()).isZero();
    awaitReplies("MoneyTaken");
  }

  /** A compensation that comes again when its action was forgotten leaves nothing in its place. */
  @Test
  void leavesNoTombstoneForACompensationThatIsRepeated() throws Exception {
    participant.settle(List.of(saga.giveBack()));
    Saga.PAYMENTS.update("DELETE FROM inbox_message WHERE step_key = ?", saga.takeKey());
    participant.settle(List.of(saga.giveBack()));
    assertThat(saga.statusOf(saga.takeKey())).isNull();
    assertThat(saga.replies()).hasSize(2);
  }

  @Test
  void answersARepeatThatItsHandlerCannotDecideAbout() throws Exception {
    Participant once =
        fixture.participant(TestConfig.inbox(), Saga.PAYMENTS.source(), new OnlyWithoutRow(world));
    once.settle(List.of(saga.take()));
    awaitReplies("MoneyTaken");
    Saga other = new Saga();
    once.settle(List.of(saga.take(), other.take()));
    awaitReplies("MoneyTaken", "MoneyTaken");
    await().untilAsserted(() -> assertThat(other.replies()).containsExactly("MoneyTaken"));
    assertThat(saga.parkedFor()).isEmpty();
    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(1);
  }

  /** Rule 5, rule 12. */
  @Test
  void carriesOutOnceWhatComesTenTimes() throws Exception {
    Delivery command = saga.take();
    for (int i = 0; i < 10; i++) {
      participant.settle(List.of(command));
    }
    await().untilAsserted(() -> assertThat(saga.replies()).isNotEmpty());
    for (int i = 0; i < 10; i++) {
      participant.settle(List.of(saga.take()));
    }
    assertThat(saga.replies()).hasSizeGreaterThanOrEqualTo(11).containsOnly("MoneyTaken");
    assertThat(saga.payloadsOf("MoneyTaken").stream().distinct()).hasSize(1);
    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(1);
  }

  @Test
  void carriesOutOnceWhatComesTenTimesInOneBatch() throws Exception {
    participant.settle(
        List.of(
            saga.take(),
            saga.take(),
            saga.take(),
            saga.take(),
            saga.take(),
            saga.take(),
            saga.take(),
            saga.take(),
            saga.take(),
            saga.take()));
    awaitReplies("MoneyTaken");
    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(1);
    participant.settle(nCopies(10, saga.take()));
    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(1);
  }

  @Test
  void carriesOutManySagasInOneBatch() throws Exception {
    List<Saga> sagas = Stream.generate(Saga::new).limit(50).toList();
    participant.settle(sagas.stream().map(Saga::take).toList());
    await().until(() -> sagas.stream().noneMatch(one -> one.replies().isEmpty()));
    for (Saga one : sagas) {
      assertThat(one.replies()).containsExactly("MoneyTaken");
      assertThat(world.callsUnder(one.takeKey())).isEqualTo(1);
    }
  }

  /** Rule 12: the world is not asked again, and the answer is the same to the letter. */
  @Test
  void answersARepeatFromWhatItRemembers() throws Exception {
    participant.settle(List.of(saga.take()));
    awaitReplies("MoneyTaken");
    fixture.participant().settle(List.of(saga.take()));
    awaitReplies("MoneyTaken", "MoneyTaken");
    assertThat(saga.payloadsOf("MoneyTaken").stream().distinct()).hasSize(1);
    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(1);
    assertThat(fixture.counted("repeated")).isEqualTo(1);
  }

  @Test
  void parksTheSameStepWithAnotherPayload() throws Exception {
    participant.settle(List.of(saga.take(42)));
    awaitReplies("MoneyTaken");
    participant.settle(List.of(saga.take(43)));
    assertThat(saga.parkedFor()).containsExactly("fingerprint-mismatch");
    assertThat(saga.replies()).containsExactly("MoneyTaken");
    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(1);
  }

  @Test
  void parksTheSameStepWithAnotherPayloadEvenWhileTheFirstRuns() throws Exception {
    participant.settle(List.of(saga.take(42), saga.take(43)));
    assertThat(saga.parkedFor()).containsExactly("fingerprint-mismatch");
    awaitReplies("MoneyTaken");
  }

  @Test
  void keepsTheStepsOfScopesApart() throws Exception {
    Saga bobs = new Saga("bob");
    participant.settle(
        List.of(
            saga.take(),
            bobs.delivery(
                "TakeMoney",
                bobs.take().body(),
                "order-service",
                Map.of("x-idempotency-key", saga.root))));
    awaitReplies("MoneyTaken");
    await().untilAsserted(() -> assertThat(bobs.replies()).containsExactly("MoneyTaken"));
    assertThat(bobs.charge()).isEqualTo("CHARGED");
  }

  @Test
  void carriesOutACommandThatWantsNoAnswerAndAnswersNobody() throws Exception {
    Delivery silent = saga.delivery("TakeMoney", saga.take().body(), null, Map.of());
    participant.settle(List.of(silent));
    await().until(() -> "COMPLETED".equals(saga.statusOf(saga.takeKey())));
    participant.settle(List.of(silent));
    assertThat(saga.charge()).isEqualTo("CHARGED");
    assertThat(saga.replies()).isEmpty();
  }

  @Test
  void answersAtOnceWhatNeedsNoCall() throws Exception {
    participant.settle(List.of(saga.take(Handlers.DECLINED)));
    assertThat(saga.replies()).containsExactly("MoneyDeclined");
    assertThat(saga.statusOf(saga.takeKey())).isEqualTo("COMPLETED");
  }

  /** Of an action that is done already, this handler does not know what to say. */
  private record OnlyWithoutRow(World world) {

    @Handles
    Answer take(TakeMoney command, CallKey key, Optional<Charge> there) {
      if (there.isPresent()) {
        throw new IllegalStateException("it is charged already");
      }
      return Handlers.take(world, command, key);
    }
  }

  private void awaitReplies(String... types) {
    await().untilAsserted(() -> assertThat(saga.replies()).containsExactly(types));
  }
}
