package io.onceflow.test.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.test.races.Gates.Gate;
import io.onceflow.test.races.Gates.Side;
import io.onceflow.test.races.MortalSource.Moment;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A process dies at the worst moments, and another one goes on. */
abstract class CrashRaces extends RepeatRaces {

  @ParameterizedTest
  @MethodSource("commands")
  void aCrashBeforeACommitLeavesNothingHalfDone(RacedCommand command) throws Exception {
    crashAtEveryCommit(command, Moment.BEFORE_COMMIT);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCrashAfterACommitLosesNothing(RacedCommand command) throws Exception {
    crashAtEveryCommit(command, Moment.AFTER_COMMIT);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCrashBeforeTheCallIsMadeGoodByASuccessor(RacedCommand command) throws Exception {
    crashAtTheCall(command, Side.BEFORE);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCrashAfterTheCallTakesNoSecondEffect(RacedCommand command) throws Exception {
    crashAtTheCall(command, Side.AFTER);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCrashAfterTheCommitAndBeforeTheAcknowledgementTakesNoSecondEffect(RacedCommand command)
      throws Exception {
    try (Run run = run(command)) {
      RacedProcess victim = run.race.process();
      victim.dieAtAcknowledgement();
      run.race.send(victim, run.message());
      run.race.until("it dies", victim::isDead);
      run.race.settle();
      run.assertDone();
      run.assertReplies(command, 1, 2);
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCrashAfterTheCommitAndBeforeThePublishLosesNoReply(RacedCommand command) throws Exception {
    try (Run run = run(command)) {
      RacedProcess victim = run.race.survivor();
      run.race.send(victim, run.message());
      run.race.settleUntold();
      assertThat(run.replies(command)).as("told so far").isEmpty();
      victim.die();
      run.race.settle();
      run.assertDone();
      assertThat(run.replies(command)).hasSize(1);
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCrashAfterThePublishAndBeforeTheDeleteTellsTheSameReplyAgain(RacedCommand command)
      throws Exception {
    try (Run run = run(command)) {
      RacedProcess victim = run.race.survivor();
      run.race.send(victim, run.message());
      run.race.settleUntold();
      run.race.post.relayAndDie(victim);
      run.race.settle();
      run.assertDone();
      List<OutboxMessage> replies = run.replies(command);
      assertThat(replies).hasSize(2);
      assertThat(replies.getLast()).isEqualTo(replies.getFirst());
    }
  }

  /** At its first commit, at its second one, until it has got through. */
  private void crashAtEveryCommit(RacedCommand command, Moment moment) throws Exception {
    int crashes = 0;
    for (boolean died = true; died; crashes++) {
      try (Run run = run(command)) {
        run.race.survivor(); // Looks after what is left, so that the victim's commits are its own.
        RacedProcess victim = run.race.process();
        victim.dieAtCommit(crashes + 1, moment);
        run.race.send(victim, run.message());
        run.race.settle();
        run.assertDone();
        run.assertReplies(command, 1, 2);
        died = victim.isDead();
      }
    }
    assertThat(crashes).as("runs, the last of them without a crash").isGreaterThan(1);
  }

  private void crashAtTheCall(RacedCommand command, Side side) throws Exception {
    try (Run run = run(command)) {
      RacedProcess victim = run.race.process();
      Gate gate = victim.gates().dieAt(command.type(), side, victim::die);
      run.race.send(victim, run.message());
      awaitCall(run, gate);
      run.race.settle();
      run.assertDone();
      run.assertReplies(command, 1, 2);
    }
  }
}
