package io.onceflow.test.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.test.races.Gates.Gate;
import io.onceflow.test.races.Gates.Side;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same command more than once, and what may happen while it is carried out. */
abstract class CallRaces extends RacedCommands {

  @ParameterizedTest
  @MethodSource("raced")
  void aRedeliveryIsGivenTheSameAnswerAgain(RacedCommand command) throws Exception {
    try (Run run = run(command)) {
      RacedProcess one = run.race.process();
      RacedProcess other = run.race.process();
      RacedMessage message = run.message();
      for (RacedMessage each : List.of(message, message, message.again())) {
        run.race.send(run.replies(command).isEmpty() ? one : other, each);
        run.race.settle();
      }
      run.assertDone();
      run.assertReplies(command, 3, 3);
    }
  }

  @ParameterizedTest
  @MethodSource("raced")
  void aRedeliveryWhileItIsCarriedOutIsLeftToItsOwner(RacedCommand command) throws Exception {
    try (Run run = run(command)) {
      RacedProcess owner = run.race.process();
      Gate gate = run.holdCall(owner, Side.AFTER);
      RacedProcess other = run.race.process();
      run.race.sendTogether(other, List.of(run.message(), run.message()));
      assertThat(run.race.statusOf(run.message())).isEqualTo("STARTED");
      gate.open();
      run.race.settle();
      run.assertDone();
      run.assertReplies(command, 1, 1);
    }
  }

  @ParameterizedTest
  @MethodSource("raced")
  void anOwnerThatWasOnlySlowWritesNothing(RacedCommand command) throws Exception {
    try (Run run = run(command)) {
      RacedProcess slow = run.race.process();
      Gate held = run.holdCall(slow, Side.AFTER);
      RacedProcess successor = run.race.process();
      Gate next = successor.gates().hold(command.type(), Side.BEFORE);
      run.race.endLeases();
      assertThat(successor.recover()).as("taken over").isPositive();
      run.race.until("the successor calls", next::isReached);
      int commits = slow.commits();
      held.open();
      run.race.until("the slow one has written its result", () -> slow.commits() > commits);
      assertThat(run.race.statusOf(run.message()))
          .as("its lease was over: its result is not written")
          .isEqualTo("STARTED");
      next.open();
      run.race.settle();
      run.assertDone();
    }
  }

  @ParameterizedTest
  @MethodSource("first")
  void ofTwoPayloadsAtTheSameMomentOneStandsAndOneIsParked(RacedCommand command) throws Exception {
    try (Run run = run(command)) {
      sendAtOnce(run, List.of(run.message(), run.messageWithOtherPayload()));
      run.race.settle();
      assertThat(run.race.parked()).containsExactly("fingerprint-mismatch");
      assertThat(Stream.concat(run.ledger().stream(), run.ledgerOfOther().stream()))
          .containsExactlyElementsOf(command.effects());
      run.assertReplies(command, 1, 1);
    }
  }

  @ParameterizedTest
  @MethodSource("raced")
  void aCrashBeforeTheCallIsMadeGoodByASuccessor(RacedCommand command) throws Exception {
    crashAtTheCall(command, Side.BEFORE);
  }

  @ParameterizedTest
  @MethodSource("raced")
  void aCrashAfterTheCallTakesNoSecondEffect(RacedCommand command) throws Exception {
    crashAtTheCall(command, Side.AFTER);
  }

  private void crashAtTheCall(RacedCommand command, Side side) throws Exception {
    try (Run run = run(command)) {
      RacedProcess victim = run.race.process();
      run.dieAtCall(victim, side);
      run.race.settle();
      run.assertDone();
    }
  }
}
