package io.onceflow.test.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.participant.Answer.Rejection;
import io.onceflow.test.races.Gates.Side;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tries every command of a service with what a broker, a database and a crash can do to it, on a
 * real PostgreSQL. A service's test extends this and says what its commands are, one line for each:
 *
 * <pre>{@code
 * class PaymentRacesTest extends CommandRaces {
 *
 *   @Override
 *   protected List<RacedCommand> commands() {
 *     return List.of(
 *         PROCESS.undoneBy(REFUND),
 *         REFUND.after(PROCESS));
 *   }
 *   …
 * }
 * }</pre>
 *
 * <p>After each case the ledger holds every effect once per key, each reply to a command is the
 * same and is what the inbox has stored, the outbox is empty, and nothing was acknowledged that had
 * not been committed.
 */
public abstract class CommandRaces extends UndoRaces {

  private static final String LONG_AGO = "2020-01-01T00:00:00Z";

  @Test
  void everyHandlerOfTheServiceIsInTheRaces() {
    assertThat(commands())
        .extracting(RacedCommand::type)
        .containsExactlyInAnyOrderElementsOf(service().steps().keySet());
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("refusable")
  void anExpiredCommandIsNotCarriedOutAndNoRepeatRevivesIt(RacedCommand command) throws Exception {
    try (Run run = run(command)) {
      List<String> before = run.ledger();
      RacedMessage expired = run.message().with(MessageHeaders.EXPIRES_AT, LONG_AGO);
      for (RacedMessage each : List.of(expired, expired, run.message())) {
        run.tell(each);
      }
      run.assertLedger(before);
      run.assertAnswered(command, command.refusal(Rejection.EXPIRED));
      run.assertReplies(command, 3, 3);
      assertThat(run.race.parked()).isEmpty();
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("actions")
  void theCompensationOfAnExpiredActionFindsNothingToUndo(RacedCommand action) throws Exception {
    try (Run run = run(action)) {
      run.tell(run.message().with(MessageHeaders.EXPIRES_AT, LONG_AGO));
      run.tell(run.message(action.compensation()));
      assertNotDone(run, Rejection.EXPIRED);
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("actions")
  void anActionThatExpiredAfterItsOwnerHadDiedIsUndoneThoughItIsNotRecorded(RacedCommand action)
      throws Exception {
    try (Run run = run(action)) {
      RacedProcess victim = run.race.process();
      run.dieAtCall(victim, Side.AFTER);
      run.race.until("it dies", victim::isDead);
      run.race.expireWhatIsBegun();
      run.race.settle();
      run.assertAnswered(action, action.refusal(Rejection.UNAVAILABLE));
      run.tell(run.message(action.compensation()));
      if (action.event() == null) {
        run.assertLedger(
            Stream.concat(action.allEffects().stream(), action.compensation().effects().stream())
                .toList());
      } else {
        run.assertUndoneSoFar();
      }
      run.assertAnswered(action.compensation(), action.compensation().answer());
      run.assertReplies(action.compensation(), 1, 1);
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("compensations")
  void aCompensationIsCarriedOutHoweverLateItIs(RacedCommand compensation) throws Exception {
    try (Run run = run(compensation)) {
      run.tell(run.message().with(MessageHeaders.EXPIRES_AT, LONG_AGO));
      run.assertDone();
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("neverRefused")
  void anExpiredCommandThatIsNeverRefusedIsParked(RacedCommand command) throws Exception {
    try (Run run = run(command)) {
      List<String> before = run.ledger();
      run.tell(run.message().with(MessageHeaders.EXPIRES_AT, LONG_AGO));
      assertThat(run.race.parked()).containsExactly("handling-failed");
      run.assertLedger(before);
      run.assertReplies(command, 0, 0);
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("followers")
  void aCommandThatComesTooEarlyIsParkedAndCarriedOutWhenItIsTriedAgain(RacedCommand command)
      throws Exception {
    try (Run run = Run.beginEarly(service(), ledger(), command)) {
      run.tell(run.message());
      assertThat(run.race.parked()).containsExactly("handling-failed");
      run.assertLedger(List.of());
      run.carryOutWhatComesBefore();
      run.race.tryAgain();
      run.race.settle();
      run.assertDone();
      run.assertReplies(command, 1, 1);
    }
  }
}
