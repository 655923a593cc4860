package io.onceflow.conformance;

import static io.onceflow.conformance.Conduct.REFUSE;
import static io.onceflow.conformance.SuiteStep.Act.DO;
import static io.onceflow.conformance.SuiteStep.Act.UNDO;
import static io.onceflow.conformance.SuiteStep.EXTRA;
import static io.onceflow.conformance.SuiteStep.FIRST;
import static io.onceflow.conformance.SuiteStep.LAST;
import static io.onceflow.conformance.SuiteStep.MIDDLE;

import java.util.List;

/** The worker is killed, or replaced by one with the second version of the saga. */
final class CrashScenarios {

  private CrashScenarios() {}

  static List<SagaScenario> all() {
    return List.of(
        SagaScenario.alone(
            "killed-in-step",
            "The worker is killed during a request that takes effect only after its death.",
            "middle: 2 calls, 1 effect; completed without help",
            trial -> {
              trial.hold(MIDDLE, DO).start().awaitCall(MIDDLE, DO, 1);
              trial.product().killAndRestart();
              trial.awaitCall(MIDDLE, DO, 2).release();
              trial.expectCompleted(FIRST, MIDDLE, LAST);
            }),
        SagaScenario.alone(
            "killed-after-effect",
            "The worker is killed between an effect and its answer.",
            "middle: 2 calls, 1 effect; completed without help",
            trial -> {
              trial.holdAnswer(MIDDLE, DO).start().awaitCall(MIDDLE, DO, 1);
              trial.product().killAndRestart();
              trial.awaitCall(MIDDLE, DO, 2).release();
              trial.expectCompleted(FIRST, MIDDLE, LAST);
            }),
        SagaScenario.alone(
            "killed-compensating",
            "The worker is killed in the middle of compensating.",
            "each compensation once; compensated without help",
            trial -> {
              trial.script(LAST, DO, REFUSE).holdAnswer(MIDDLE, UNDO).start();
              trial.awaitCall(MIDDLE, UNDO, 1).product().killAndRestart();
              trial.awaitCall(MIDDLE, UNDO, 2).release();
              trial.expectCompensated(FIRST, MIDDLE);
            }),
        SagaScenario.alone(
            "version-change",
            "A second version with another step comes in while sagas of the first are under way.",
            "those end by their own steps, forward and back; a new one has the new step",
            CrashScenarios::versionChange));
  }

  private static void versionChange(Trial forward) {
    Trial back = forward.another("back");
    Trial later = forward.another("later");
    forward.hold(MIDDLE, DO).start().awaitCall(MIDDLE, DO, 1);
    back.script(LAST, DO, REFUSE).holdAnswer(MIDDLE, UNDO).start().awaitCall(MIDDLE, UNDO, 1);
    forward.product().upgrade();
    forward.release();
    back.release();
    forward.expectCompleted(FIRST, MIDDLE, LAST);
    back.expectCompensated(FIRST, MIDDLE);
    later.script(LAST, DO, REFUSE).start().expectCompensated(FIRST, EXTRA, MIDDLE);
  }
}
