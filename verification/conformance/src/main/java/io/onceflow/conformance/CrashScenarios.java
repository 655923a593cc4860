package io.onceflow.conformance;

import static io.onceflow.conformance.EffectLedger.Behaviour.HANG;
import static io.onceflow.conformance.EffectLedger.Behaviour.HANG_AFTER_EFFECT;
import static io.onceflow.conformance.EffectLedger.Behaviour.REFUSE;
import static io.onceflow.conformance.EffectLedger.Behaviour.SUCCEED;
import static io.onceflow.conformance.SuiteStep.Act.DO;
import static io.onceflow.conformance.SuiteStep.Act.UNDO;
import static io.onceflow.conformance.SuiteStep.EXTRA;
import static io.onceflow.conformance.SuiteStep.FIRST;
import static io.onceflow.conformance.SuiteStep.LAST;
import static io.onceflow.conformance.SuiteStep.MIDDLE;

import io.onceflow.conformance.EffectLedger.Behaviour;
import java.util.List;

/** The product's process is killed, or replaced by one with the second version of the saga. */
final class CrashScenarios {

  private CrashScenarios() {}

  static List<SagaScenario> all() {
    return List.of(
        killed(
            "killed-in-step",
            "The process is killed during a request that has its effect only later.",
            HANG),
        killed(
            "killed-after-effect",
            "The process is killed between an effect and its response.",
            HANG_AFTER_EFFECT),
        new SagaScenario(
            "killed-compensating",
            "The process is killed while it compensates.",
            "each compensation once; compensated without help",
            saga -> {
              saga.when(LAST, DO, REFUSE).when(MIDDLE, UNDO, HANG_AFTER_EFFECT).start();
              saga.awaitRequest(MIDDLE, UNDO, 1).product().killAndRestart();
              saga.awaitRequest(MIDDLE, UNDO, 2).when(MIDDLE, UNDO, SUCCEED);
              saga.expectCompensated(FIRST, MIDDLE);
            }),
        new SagaScenario(
            "version-change",
            "A second version with another step is deployed while sagas of the first are in progress.",
            "those end by their own steps, forward and back; a new saga has the new step",
            CrashScenarios::versionChange));
  }

  private static SagaScenario killed(String id, String claim, Behaviour behaviour) {
    return new SagaScenario(
        id,
        claim,
        "middle: 2 requests, 1 effect; completed without help",
        saga -> {
          saga.when(MIDDLE, DO, behaviour).start().awaitRequest(MIDDLE, DO, 1);
          saga.product().killAndRestart();
          saga.awaitRequest(MIDDLE, DO, 2).when(MIDDLE, DO, SUCCEED).expectCompleted();
        });
  }

  private static void versionChange(TestedSaga forward) {
    TestedSaga back = forward.another();
    forward.when(MIDDLE, DO, HANG).start().awaitRequest(MIDDLE, DO, 1);
    back.when(LAST, DO, REFUSE).when(MIDDLE, UNDO, HANG_AFTER_EFFECT).start();
    back.awaitRequest(MIDDLE, UNDO, 1).product().upgrade();
    forward.when(MIDDLE, DO, SUCCEED).expectCompleted();
    back.when(MIDDLE, UNDO, SUCCEED).expectCompensated(FIRST, MIDDLE);
    TestedSaga later = forward.another();
    later.when(LAST, DO, REFUSE).start().expectCompensated(FIRST, EXTRA, MIDDLE);
  }
}
