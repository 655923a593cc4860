package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.Handlers.GiveMoneyBack;
import io.onceflow.inbox.Handlers.MoneyDeclined;
import io.onceflow.inbox.Handlers.MoneyTaken;
import io.onceflow.inbox.Handlers.TakeMoney;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Rule 9: a command that is sent until it is done is carried out again after a refusal. Before this
 * when the first refusal was stored as the outcome, and answered to every repeat.
 */
@Timeout(60)
class RefusedUntilDoneTest {

  private final Fixture fixture = new Fixture();
  private final Saga saga = new Saga();
  private volatile ReplyOutcome answer = ReplyOutcome.REFUSED;
  private final Participant participant =
      fixture.participant(TestConfig.inbox(), Saga.PAYMENTS.source(), new Deciding());

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aCompensationIsTriedAgainWhenItIsRepeated() throws Exception {
    answer = ReplyOutcome.DONE;
    participant.settle(List.of(saga.take()));
    answer = ReplyOutcome.REFUSED;
    participant.settle(List.of(saga.giveBack()));
    awaitReplies("MoneyTaken", "MoneyDeclined");

    participant.settle(List.of(saga.giveBack(), saga.giveBack()));
    participant.recover();
    awaitReplies("MoneyTaken", "MoneyDeclined", "MoneyDeclined");

    answer = ReplyOutcome.DONE;
    participant.settle(List.of(saga.giveBack()));
    participant.recover();
    awaitReplies("MoneyTaken", "MoneyDeclined", "MoneyDeclined", "MoneyTaken");
    assertThat(saga.inbox("fencing_token", saga.giveBackKey())).isEqualTo("5");

    participant.settle(List.of(saga.giveBack()));
    assertThat(participant.recover()).as("what is done is answered from memory").isZero();
    awaitReplies("MoneyTaken", "MoneyDeclined", "MoneyDeclined", "MoneyTaken", "MoneyTaken");
  }

  @Test
  void aStepPastThePivotIsTriedAgainAfterAnyOtherOutcomeThanDone() throws Exception {
    participant.settle(List.of(take("done")));
    answer = ReplyOutcome.UNAVAILABLE;
    repeat(take("done"));
    answer = ReplyOutcome.DONE;
    repeat(take("done"));
    assertThat(saga.identityOfReplies())
        .containsExactly("- - refused", "- - unavailable", "- - done");
  }

  @Test
  void aPivotIsTriedAgainAfterAnUnknownResult() throws Exception {
    answer = ReplyOutcome.UNAVAILABLE;
    participant.settle(List.of(take("done,refused")));
    answer = ReplyOutcome.REFUSED;
    repeat(take("done,refused"));
    assertThat(saga.identityOfReplies()).containsExactly("- - unavailable", "- - refused");
  }

  /** The saga is undone by then, and nothing would undo the pivot. */
  @Test
  void aRefusedPivotIsNeverDone() throws Exception {
    participant.settle(List.of(take("done,refused")));
    answer = ReplyOutcome.DONE;
    repeat(take("done,refused"));
    assertThat(saga.identityOfReplies()).containsExactly("- - refused", "- - refused");
  }

  @Test
  void aRefusedStepThatSaysNothingOfItsEndIsNeverDone() throws Exception {
    participant.settle(List.of(saga.take()));
    answer = ReplyOutcome.DONE;
    repeat(saga.take());
    assertThat(saga.replies()).containsExactly("MoneyDeclined", "MoneyDeclined");
  }

  @Test
  void aCommandIsParkedThatEndsWithNoOutcome() throws Exception {
    participant.settle(List.of(take("done,denied")));
    assertThat(saga.parkedFor()).containsExactly("malformed");
  }

  private Delivery take(String endsWith) {
    return saga.with(Map.of(MessageHeaders.ENDS_WITH, endsWith), saga.take());
  }

  private void repeat(Delivery command) throws Exception {
    participant.settle(List.of(command));
    participant.recover();
  }

  private void awaitReplies(String... types) {
    await().untilAsserted(() -> assertThat(saga.replies()).containsExactly(types));
  }

  /** Decides about the action at once, and calls out for its compensation. */
  private final class Deciding {

    @Handles
    Answer take(TakeMoney command) {
      return answered(command.subject());
    }

    @Handles
    @CallsOut
    Answer giveBack(GiveMoneyBack command) {
      return answered(command.subject());
    }

    private Answer answered(UUID subject) {
      return Answer.of(
          answer,
          answer == ReplyOutcome.DONE
              ? new MoneyTaken(subject, "ref")
              : new MoneyDeclined(subject));
    }
  }
}
