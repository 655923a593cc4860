package io.onceflow.test.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.participant.Answer.Rejection;
import io.onceflow.test.races.Gates.Gate;
import io.onceflow.test.races.Gates.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An action and its compensation meet: before, during and after. */
abstract class UndoRaces extends CallRaces {

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("actions")
  void aCompensationThatComesFirstCancelsItsAction(RacedCommand action) throws Exception {
    try (Run run = run(action)) {
      run.tell(run.message(action.compensation()));
      assertThat(run.race.statusOf(run.message())).isEqualTo("TOMBSTONE");
      for (RacedProcess each : List.of(run.race.survivor(), run.race.process())) {
        run.race.send(each, run.message());
        run.race.settle();
      }
      assertThat(run.race.statusOf(run.message())).isEqualTo("TOMBSTONE");
      assertCancelled(run);
      run.assertReplies(action, 2, 2);
      run.assertReplies(action.compensation(), 1, 1);
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("actions")
  void aCompensationWaitsForItsActionThatHasNotTakenEffectYet(RacedCommand action)
      throws Exception {
    compensateDuring(action, Side.BEFORE);
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("actions")
  void aCompensationWaitsForItsActionThatHasTakenEffect(RacedCommand action) throws Exception {
    compensateDuring(action, Side.AFTER);
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("actions")
  void aCompensationWaitsForItsActionWhoseOwnerHasDied(RacedCommand action) throws Exception {
    try (Run run = run(action)) {
      RacedProcess victim = run.race.process();
      run.holdCall(victim, Side.AFTER);
      RacedProcess other = run.race.process();
      run.race.sendTogether(other, List.of(run.message(action.compensation())));
      assertThat(run.race.statusOf(run.message(action.compensation()))).isEqualTo("STARTED");
      victim.die();
      run.race.settle();
      assertUndone(run);
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("actions")
  void aCompensationUndoesWhatWasDone(RacedCommand action) throws Exception {
    try (Run run = run(action)) {
      RacedMessage undo = run.message(action.compensation());
      for (RacedMessage each : List.of(run.message(), undo, undo, run.message())) {
        run.tell(each);
      }
      assertUndone(run);
      run.assertReplies(action, 2, 2);
      run.assertReplies(action.compensation(), 2, 2);
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("actions")
  void inWhateverOrderTheyComeNothingStandsInTheEnd(RacedCommand action) throws Exception {
    for (List<RacedCommand> order : orders(action, action.compensation())) {
      try (Run run = run(action)) {
        List<RacedProcess> two = List.of(run.race.process(), run.race.process());
        for (int i = 0; i < order.size(); i++) {
          run.race.send(two.get(i % 2), run.message(order.get(i)));
        }
        run.race.settle();
        assertNothingStands(run);
      }
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("actions")
  void inOneBatchTheyAreCarriedOutInTheirOrder(RacedCommand action) throws Exception {
    for (List<RacedCommand> order : orders(action, action.compensation())) {
      try (Run run = run(action)) {
        List<RacedMessage> batch = order.stream().map(run::message).toList();
        run.race.sendTogether(run.race.survivor(), batch);
        run.race.settle();
        if (order.getFirst() == action) {
          assertUndone(run);
        } else {
          assertCancelled(run);
        }
      }
    }
  }

  private void compensateDuring(RacedCommand action, Side side) throws Exception {
    try (Run run = run(action)) {
      RacedProcess owner = run.race.process();
      Gate gate = run.holdCall(owner, side);
      RacedProcess other = run.race.process();
      RacedMessage undo = run.message(action.compensation());
      run.race.sendTogether(other, List.of(undo, undo));
      run.race.until("it has looked again, or did not wait", () -> hasLookedAgain(run, undo));
      assertThat(run.race.statusOf(undo)).as("the compensation waits").isEqualTo("STARTED");
      gate.open();
      run.race.settle();
      assertUndone(run);
      run.assertReplies(action, 1, 1);
      run.assertReplies(action.compensation(), 1, 1);
    }
  }

  private static boolean hasLookedAgain(Run run, RacedMessage undo) throws Exception {
    run.race.survivor().recover();
    return run.race.attemptsOf(undo) > 2 || !run.race.statusOf(undo).equals("STARTED");
  }

  /** The action and its compensation were carried out once each, and answered so. */
  static void assertUndone(Run run) throws Exception {
    RacedCommand action = run.command;
    if (action.event() == null) {
      run.assertLedger(
          Stream.concat(action.allEffects().stream(), action.compensation().effects().stream())
              .toList());
      run.assertAnswered(action, action.answer());
    } else {
      run.assertUndoneSoFar();
    }
    run.assertAnswered(action.compensation(), action.compensation().answer());
    assertThat(run.race.parked()).as("parked").isEmpty();
  }

  private static void assertCancelled(Run run) throws Exception {
    assertNotDone(run, Rejection.CANCELLED);
  }

  /** The action was not carried out, and was answered so. */
  static void assertNotDone(Run run, Rejection why) throws Exception {
    RacedCommand action = run.command;
    run.assertLedger(List.of());
    run.assertAnswered(action, action.refusal(why));
    run.assertAnswered(action.compensation(), action.compensation().answer());
    assertThat(run.race.parked()).as("parked").isEmpty();
  }

  private static void assertNothingStands(Run run) throws Exception {
    if (run.command.event() != null && !run.ledger().isEmpty()
        || run.typesOfReplies(run.command).contains(run.command.answer())) {
      assertUndone(run);
    } else {
      assertCancelled(run);
    }
  }

  /** All orders in which two of each may come. */
  private static List<List<RacedCommand>> orders(RacedCommand one, RacedCommand other) {
    List<List<RacedCommand>> orders = new ArrayList<>();
    for (int places = 0; places < 16; places++) {
      if (Integer.bitCount(places) == 2) {
        List<RacedCommand> order = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          order.add((places >> i & 1) == 1 ? one : other);
        }
        orders.add(List.copyOf(order));
      }
    }
    return orders;
  }
}
