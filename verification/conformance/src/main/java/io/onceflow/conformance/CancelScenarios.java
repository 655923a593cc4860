package io.onceflow.conformance;

import static io.onceflow.conformance.EffectLedger.Behaviour.FAIL;
import static io.onceflow.conformance.EffectLedger.Behaviour.HANG;
import static io.onceflow.conformance.EffectLedger.Behaviour.HANG_AFTER_EFFECT;
import static io.onceflow.conformance.EffectLedger.Behaviour.REFUSE;
import static io.onceflow.conformance.EffectLedger.Behaviour.SUCCEED;
import static io.onceflow.conformance.SuiteStep.Act.DO;
import static io.onceflow.conformance.SuiteStep.Act.UNDO;
import static io.onceflow.conformance.SuiteStep.FIRST;
import static io.onceflow.conformance.SuiteStep.LAST;
import static io.onceflow.conformance.SuiteStep.MIDDLE;

import io.onceflow.conformance.EffectLedger.Behaviour;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A cancellation at each point: its response is true, and no effect stays that it undoes. */
final class CancelScenarios {

  private CancelScenarios() {}

  static List<SagaScenario> all() {
    List<SagaScenario> all = new ArrayList<>();
    for (SuiteStep step : List.of(FIRST, MIDDLE, LAST)) {
      all.add(at(step, "before", "Cancelled before the %s step has an effect: it fails.", FAIL));
      all.add(at(step, "during", "Cancelled while the %s step is in progress.", HANG));
    }
    all.add(
        new SagaScenario(
            "cancel-after-end",
            "Cancelled after the last step.",
            "too late; nothing is undone",
            saga -> {
              saga.start().expectCompleted();
              TestedSaga.expect(!saga.cancel(), "the cancellation was accepted");
              saga.expectCompleted();
            }));
    all.add(
        new SagaScenario(
            "cancel-compensating",
            "Cancelled while it is compensated already.",
            "each compensation once; compensated",
            saga -> {
              saga.when(LAST, DO, REFUSE).when(MIDDLE, UNDO, HANG_AFTER_EFFECT).start();
              saga.awaitRequest(MIDDLE, UNDO, 1).cancel();
              saga.when(MIDDLE, UNDO, SUCCEED).expectCompensated(FIRST, MIDDLE);
            }));
    return all;
  }

  private static SagaScenario at(SuiteStep step, String point, String claim, Behaviour behaviour) {
    String name = step.name().toLowerCase(Locale.ROOT);
    return new SagaScenario(
        "cancel-%s-%s".formatted(point, name),
        claim.formatted(name),
        "accepted: what was done is undone once, compensated; too late: completed",
        saga -> {
          saga.when(step, DO, behaviour).start().awaitRequest(step, DO, 1);
          boolean isAccepted = saga.cancel();
          saga.when(step, DO, SUCCEED).expectCancelled(isAccepted);
        });
  }
}
