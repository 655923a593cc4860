package io.onceflow.test.races;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

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
public abstract class CommandRaces extends DeliveryRaces<RacedCommand> {

  /** Steps that are not of every message: {@link Run#take}. */
  private static final List<RacedScenario> SCENARIOS =
      RacedScenario.read(
          EVERY_MESSAGE
              + """
              aRedeliveryIsGivenTheSameAnswerAgain: \
                tell it to one; tell it again to other; done; replies 3
              aRedeliveryWhileItIsCarriedOutIsLeftToItsOwner: \
                hold after-call at owner; batch it again to other; status it STARTED; \
                open at owner; settle; done; replies 1
              anOwnerThatWasOnlySlowWritesNothing: \
                hold after-call at slow; take-over before-call at successor; \
                commit at slow; status it STARTED; \
                open at successor; settle; done
              aCrashBeforeTheCallIsMadeGoodByASuccessor: die before-call at victim; settle; done
              aCrashAfterTheCallTakesNoSecondEffect: die after-call at victim; settle; done
              first
              ofTwoPayloadsAtTheSameMomentOneStandsAndOneIsParked: \
                at-once it changed; settle; parked fingerprint-mismatch; one-of-two; replies 1
              actions
              aCompensationThatComesFirstCancelsItsAction: \
                tell undo; status it TOMBSTONE; tell it; tell again to other; status it TOMBSTONE; \
                not-done CANCELLED; replies 2; replies-to-undo 1
              aCompensationWaitsForItsActionThatHasNotTakenEffectYet: \
                hold before-call at owner; batch undo undo to other; undo-waits; \
                open at owner; settle; undone; replies 1; replies-to-undo 1
              aCompensationWaitsForItsActionThatHasTakenEffect: \
                hold after-call at owner; batch undo undo to other; undo-waits; \
                open at owner; settle; undone; replies 1; replies-to-undo 1
              aCompensationWaitsForItsActionWhoseOwnerHasDied: \
                hold after-call at victim; batch undo to other; status undo STARTED; \
                die now at victim; settle; undone
              aCompensationUndoesWhatWasDone: \
                tell it undo undo again; undone; replies 2; replies-to-undo 2
              inWhateverOrderTheyComeNothingStandsInTheEnd: \
                spread (it again undo undo|it undo again undo|it undo undo again|\
                undo undo it again|undo it undo again|undo it again undo); \
                settle; nothing-stands
              inOneBatchTheyAreCarriedOutInTheirOrder: \
                batch (it again undo undo|it undo again undo|it undo undo again); settle; undone
              inOneBatchTheyAreCarriedOutInTheirOrder: \
                batch (undo undo it again|undo it undo again|undo it again undo); settle; \
                not-done CANCELLED
              theCompensationOfAnExpiredActionFindsNothingToUndo: \
                tell expired undo; not-done EXPIRED
              anActionThatExpiredAfterItsOwnerHadDiedIsUndoneThoughItIsNotRecorded: \
                die after-call at victim; await death at victim; expire; settle; \
                answered UNAVAILABLE; tell undo; undone-in-doubt; replies-to-undo 1
              compensations
              aCompensationIsCarriedOutHoweverLateItIs: tell expired; done
              refusable
              anExpiredCommandIsNotCarriedOutAndNoRepeatRevivesIt: \
                tell expired expired it; effects-before; answered EXPIRED; replies 3; parked
              never refused
              anExpiredCommandThatIsNeverRefusedIsParked: \
                tell expired; parked handling-failed; effects-before; replies 0
              too early
              aCommandThatComesTooEarlyIsParkedAndCarriedOutWhenItIsTriedAgain: \
                tell it; parked handling-failed; no-effects; before; retry; settle; \
                done; replies 1
              """);

  /** What has really happened. */
  protected abstract Ledger ledger();

  /** All commands that the service carries out, one line for each. */
  protected abstract List<RacedCommand> commands();

  @Test
  void everyHandlerOfTheServiceIsInTheRaces() {
    assertThat(commands())
        .extracting(RacedCommand::type)
        .containsExactlyInAnyOrderElementsOf(service().steps().keySet());
  }

  @Override
  final List<RacedScenario> scenarios() {
    return SCENARIOS;
  }

  @Override
  final Stream<RacedCommand> raced(String group) {
    return commands().stream()
        .filter(
            command ->
                switch (group) {
                  case "all" -> true;
                  case "first" -> command.before().isEmpty();
                  case "actions" -> command.undo() != null;
                  case "compensations" -> isCompensation(command);
                  case "refusable" -> command.isRefusable();
                  case "never refused" -> !command.isRefusable() && !isCompensation(command);
                  case "too early" -> !command.underItsKey() && !command.before().isEmpty();
                  default -> throw new IllegalArgumentException(group);
                });
  }

  private boolean isCompensation(RacedCommand command) {
    return commands().stream()
        .filter(it -> it.undo() != null)
        .anyMatch(it -> it.compensation().type().equals(command.type()));
  }

  @Override
  final Run run(RacedCommand command, String group) throws Exception {
    Run run = new Run(service(), ledger(), command);
    if (!group.equals("too early")) {
      run.carryOutWhatComesBefore();
    }
    return run;
  }
}
