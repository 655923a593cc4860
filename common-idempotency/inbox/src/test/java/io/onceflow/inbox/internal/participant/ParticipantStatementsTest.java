package io.onceflow.inbox.internal.participant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.testing.CountedDatabase;
import io.onceflow.inbox.Fixture;
import io.onceflow.inbox.Handlers;
import io.onceflow.inbox.Handlers.TakeMoney;
import io.onceflow.inbox.Saga;
import io.onceflow.inbox.TestConfig;
import io.onceflow.inbox.World;
import io.onceflow.participant.Answer;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each statement is a round trip: a batch of commands takes few. */
@Timeout(60)
class ParticipantStatementsTest {

  private final Fixture fixture = new Fixture();
  private final CountedDatabase counted = new CountedDatabase(Saga.PAYMENTS.source());
  private final Participant counting =
      fixture.participant(TestConfig.inbox(), counted.source(), Handlers.all(fixture.world));
  private final Saga saga = new Saga();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void looksOnceForWhatCameBefore() throws Exception {
    counting.settle(List.of(saga.take(), new Saga().take(Handlers.DECLINED)));
    awaitReplies("MoneyTaken");
    assertThat(counted.statements())
        .containsExactly(
            "SELECT inbox_message",
            "SELECT charge",
            "INSERT inbox_message",
            "INSERT outbox_message",
            "UPDATE inbox_message",
            "INSERT charge",
            "INSERT outbox_message");
    counted.clear();
    counting.settle(List.of(saga.take()));
    assertThat(counted.statements())
        .containsExactly("SELECT inbox_message", "INSERT outbox_message");
  }

  /** Its row and its action's are looked for at once, before anything is decided about it. */
  @Test
  void looksOnceForWhatCameBeforeACompensation() throws Exception {
    counting.settle(List.of(saga.take()));
    awaitReplies("MoneyTaken");
    counted.clear();
    counting.settle(List.of(saga.giveBack()));
    awaitReplies("MoneyTaken", "MoneyGivenBack");
    assertThat(counted.statements())
        .startsWith("SELECT inbox_message", "SELECT charge", "INSERT inbox_message");
    counted.clear();
    counting.settle(List.of(saga.giveBack()));
    assertThat(counted.statements())
        .containsExactly("SELECT inbox_message", "INSERT outbox_message");
  }

  /** Seen red: it was looked for before it was inserted. */
  @Test
  void looksForWhatCameBeforeOnlyWhereAnActionThatCallsOutDid() throws Exception {
    Participant calling =
        fixture.participant(TestConfig.inbox(), counted.source(), new AlwaysCalling(fixture.world));
    calling.settle(List.of(saga.take()));
    awaitReplies("MoneyTaken");
    assertThat(counted.statements())
        .containsExactly(
            "INSERT inbox_message",
            "UPDATE inbox_message",
            "INSERT charge",
            "INSERT outbox_message");
    counted.clear();
    calling.settle(List.of(saga.take()));
    assertThat(counted.statements())
        .containsExactly("INSERT inbox_message", "SELECT inbox_message", "INSERT outbox_message");
  }

  private record AlwaysCalling(World world) {

    @Handles
    @CallsOut
    Answer take(TakeMoney command, CallKey key) {
      return Handlers.take(world, command, key);
    }
  }

  private void awaitReplies(String... types) {
    await().untilAsserted(() -> assertThat(saga.replies()).containsExactly(types));
  }
}
