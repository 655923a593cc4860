package io.onceflow.conformance;

import static io.onceflow.conformance.Conduct.FAIL;
import static io.onceflow.conformance.Conduct.LOSE_ANSWER;
import static io.onceflow.conformance.Conduct.REFUSE;
import static io.onceflow.conformance.Conduct.SUCCEED;
import static io.onceflow.conformance.SuiteStep.Act.DO;
import static io.onceflow.conformance.SuiteStep.Act.UNDO;
import static io.onceflow.conformance.SuiteStep.FIRST;
import static io.onceflow.conformance.SuiteStep.LAST;
import static io.onceflow.conformance.SuiteStep.MIDDLE;

import io.onceflow.conformance.SeenSaga.State;
import io.onceflow.conformance.SeenSaga.StepState;
import io.onceflow.conformance.Trial.Violated;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The scenarios, in the order of the table. */
public final class Scenarios {

  private Scenarios() {}

  /** All of them. */
  public static List<SagaScenario> all() {
    return Stream.of(
            forward(),
            compensation(),
            StartScenarios.all(),
            CancelScenarios.all(),
            CrashScenarios.all())
        .flatMap(List::stream)
        .toList();
  }

  private static List<SagaScenario> forward() {
    return List.of(
        SagaScenario.of(
            "forward",
            "A saga whose participants all succeed completes.",
            "each step once, no compensation; shown as completed",
            trial -> trial.start().expectCompleted(FIRST, MIDDLE, LAST)),
        refusal("refused-first", FIRST),
        refusal("refused-middle", MIDDLE, FIRST),
        refusal("refused-last", LAST, FIRST, MIDDLE),
        SagaScenario.of(
            "action-fails-twice",
            "An action that fails twice and then succeeds has one effect.",
            "middle: 3 calls, 1 effect; completed",
            trial -> {
              trial.script(MIDDLE, DO, FAIL, FAIL).start();
              trial.expectCompleted(FIRST, MIDDLE, LAST);
              atLeast(3, MIDDLE, DO, trial);
            }),
        SagaScenario.of(
            "action-answer-lost",
            "An action whose answer is lost is repeated as the same action.",
            "middle: 2 calls, 1 effect; completed",
            trial -> {
              trial.script(MIDDLE, DO, LOSE_ANSWER).start();
              trial.expectCompleted(FIRST, MIDDLE, LAST);
              atLeast(2, MIDDLE, DO, trial);
            }),
        SagaScenario.of(
            "action-outcome-unknown",
            "An action none of whose answers arrives may have been done, so it is undone.",
            "middle and first undone once, middle first; compensated",
            trial -> {
              trial.always(MIDDLE, DO, LOSE_ANSWER).start();
              trial.expectCompensated(FIRST, MIDDLE);
            }));
  }

  private static SagaScenario refusal(String id, SuiteStep refused, SuiteStep... before) {
    return SagaScenario.of(
        id,
        "A refusal of the %s step undoes the steps before it.".formatted(refused.word()),
        "each earlier step undone once, the last one first; nothing after it is called",
        trial -> {
          trial.script(refused, DO, REFUSE).start();
          trial.expectCompensated(before);
          if (refused != LAST && trial.calls(LAST, DO) > 0) {
            throw new Violated("the last step was called");
          }
        });
  }

  private static List<SagaScenario> compensation() {
    return List.of(
        SagaScenario.of(
            "compensation-fails-twice",
            "A compensation that fails twice and then succeeds has one effect.",
            "undoing middle: 3 calls, 1 effect; then first; compensated",
            trial -> {
              trial.script(LAST, DO, REFUSE).script(MIDDLE, UNDO, FAIL, FAIL).start();
              trial.expectCompensated(FIRST, MIDDLE);
              atLeast(3, MIDDLE, UNDO, trial);
            }),
        SagaScenario.of(
            "compensation-answer-lost",
            "A compensation whose answer is lost has no second effect.",
            "undoing middle: 2 calls, 1 effect; compensated",
            trial -> {
              trial.script(LAST, DO, REFUSE).script(MIDDLE, UNDO, LOSE_ANSWER).start();
              trial.expectCompensated(FIRST, MIDDLE);
              atLeast(2, MIDDLE, UNDO, trial);
            }),
        SagaScenario.of(
            "compensation-stuck-visible",
            "A compensation that fails for good is visible by the API, without reading the store.",
            "a state that says so, distinct from running and from compensated",
            trial -> {
              trial.script(LAST, DO, REFUSE).always(MIDDLE, UNDO, FAIL).start();
              trial.awaitCall(MIDDLE, UNDO, 1);
              trial.expectState(State.FAILED);
            }),
        SagaScenario.of(
            "compensation-repaired",
            "Once its cause is mended such a saga is completed, by itself or by an operator.",
            "middle undone once, then first; compensated",
            trial -> {
              trial.script(LAST, DO, REFUSE).always(MIDDLE, UNDO, FAIL).start();
              trial.awaitSeen("FAILED", seen -> seen.state() == State.FAILED);
              trial.always(MIDDLE, UNDO, SUCCEED).product().repair(trial.key());
              trial.awaitSeen("COMPENSATED", seen -> seen.state() == State.COMPENSATED);
              trial.expectCompensated(FIRST, MIDDLE);
            }),
        SagaScenario.of(
            "error-type",
            "The type of a participant's error is shown with the saga that it ended.",
            LedgerServer.REFUSAL + " is shown",
            trial -> {
              trial.script(MIDDLE, DO, REFUSE).start();
              trial.awaitEnd();
              trial.awaitSeen(
                  LedgerServer.REFUSAL, seen -> seen.error().equals(LedgerServer.REFUSAL));
            }),
        SagaScenario.of(
            "state-visible",
            "While a saga runs, each step is shown as done, running or pending, then as failed.",
            "first done, middle running, last pending; after its refusal middle failed, first"
                + " compensated",
            Scenarios::stateVisible),
        SagaScenario.of(
            "two-languages",
            "A saga in one language has participants in another, both ways.",
            "effects and compensations of both",
            trial -> {
              throw NotProvided.notCovered("no adapter has participants in another language");
            }));
  }

  private static void stateVisible(Trial trial) {
    trial.script(MIDDLE, DO, REFUSE).hold(MIDDLE, DO).start().awaitCall(MIDDLE, DO, 1);
    Set<SuiteStep> shown = trial.product().read(trial.key()).steps().keySet();
    if (!shown.containsAll(List.of(FIRST, MIDDLE, LAST))) {
      throw NotProvided.unsupported("while the middle step runs, the product shows only " + shown);
    }
    awaitSteps(trial, StepState.DONE, StepState.RUNNING, StepState.PENDING);
    trial.release();
    trial.awaitEnd();
    awaitSteps(trial, StepState.COMPENSATED, StepState.FAILED, StepState.PENDING);
  }

  private static void awaitSteps(Trial trial, StepState first, StepState middle, StepState last) {
    Map<SuiteStep, StepState> expected = Map.of(FIRST, first, MIDDLE, middle, LAST, last);
    trial.awaitSeen(expected.toString(), seen -> seen.steps().equals(expected));
  }

  static void atLeast(int calls, SuiteStep step, SuiteStep.Act act, Trial trial) {
    if (trial.calls(step, act) < calls) {
      throw new Violated("fewer than %s calls of %s".formatted(calls, step.word()));
    }
  }
}
