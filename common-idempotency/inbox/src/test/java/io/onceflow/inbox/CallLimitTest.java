package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.Handlers.MoneyTaken;
import io.onceflow.inbox.Handlers.TakeMoney;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.Rejection;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import io.onceflow.participant.Handles.FallbackReply;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two calls within an hour, over all replicas; what is beyond waits in the database. */
@Timeout(60)
class CallLimitTest {

  private final Fixture fixture = new Fixture();
  private final World world = fixture.world;
  private final Participant participant = participant();

  record Courier(World world) {

    @Handles
    @CallsOut(atMost = 2, within = "1h")
    Answer take(TakeMoney command, CallKey key) throws Exception {
      return Answer.done(new MoneyTaken(command.subject(), world.call("taken", key.step())));
    }

    @FallbackReply
    Record notDone(TakeMoney command, Rejection why) {
      return new Handlers.Take(world).notDone(command, why);
    }
  }

  private Participant participant() {
    return fixture.participant(TestConfig.inbox(), Saga.PAYMENTS.source(), new Courier(world));
  }

  @BeforeEach
  void hasItsWholeRate() {
    Saga.PAYMENTS.update("DELETE FROM inbox_call_rate");
  }

  @AfterEach
  void close() {
    fixture.close();
    Saga.PAYMENTS.update("DELETE FROM inbox_message WHERE status = 'STARTED'");
  }

  @Test
  void theOthersAreCalledForAsTheRateComesBack() throws Exception {
    List<Saga> sagas = sagas(5);
    participant.settle(sagas.stream().map(Saga::take).toList());
    await().until(() -> answered(sagas) == 2);
    assertThat(participant.recover()).as("the rate is used up").isZero();
    passes("1 hour");
    participant.recover();
    await().until(() -> answered(sagas) == 4);
    passes("30 minutes");
    participant.recover();
    await().until(() -> answered(sagas) == 5);
    assertThat(sagas).allSatisfy(saga -> assertThat(world.callsUnder(saga.takeKey())).isOne());
  }

  @Test
  void replicasShareTheRate() throws Exception {
    List<Saga> sagas = sagas(2);
    participant.settle(sagas.stream().map(Saga::take).toList());
    Saga third = new Saga();
    Participant other = participant();
    other.settle(List.of(third.take()));
    await().until(() -> answered(sagas) == 2);
    assertThat(other.recover()).isZero();
    assertThat(world.callsUnder(third.takeKey())).isZero();
  }

  /** Red where a caller without a call in memory comes first, as in a lane without a limit. */
  @Test
  void whatArrivesDoesNotOvertake() throws Exception {
    List<Saga> sagas = sagas(3);
    participant.settle(sagas.stream().map(Saga::take).toList());
    await().until(() -> answered(sagas) == 2);
    passes("30 minutes");
    Saga late = new Saga();
    participant.settle(List.of(late.take()));
    participant.recover();
    await().until(() -> answered(sagas) == 3);
    assertThat(world.callsUnder(late.takeKey())).isZero();
  }

  /** Red where the turns that a batch has left are not given back. */
  @Test
  void aRepeatTakesNoTurn() throws Exception {
    List<Saga> sagas = sagas(2);
    participant.settle(List.of(sagas.getFirst().take()));
    await().until(() -> answered(sagas) == 1);
    participant.settle(List.of(sagas.getFirst().take()));
    participant.settle(List.of(sagas.getLast().take()));
    await().until(() -> answered(sagas) == 2);
  }

  /** Red where what is taken is not dated: nothing was called for a day. */
  @Test
  void aClockThatWasAheadLeavesNothingTaken() throws Exception {
    List<Saga> sagas = sagas(4);
    participant.settle(sagas.stream().map(Saga::take).toList());
    await().until(() -> answered(sagas) == 2);
    passes("1 hour");
    Saga.PAYMENTS.update(
        """
        UPDATE inbox_call_rate
        SET    free_at = free_at + interval '1 day',
               taken_at = taken_at + interval '1 day'
        """);
    participant.recover();
    await().until(() -> answered(sagas) == 4);
  }

  private static List<Saga> sagas(int count) {
    return Stream.generate(Saga::new).limit(count).toList();
  }

  private static long answered(List<Saga> sagas) {
    return sagas.stream().filter(saga -> saga.replies().contains("MoneyTaken")).count();
  }

  private static void passes(String time) {
    Saga.PAYMENTS.update(
        "UPDATE inbox_call_rate SET free_at = free_at - interval '%s'".formatted(time));
  }
}
