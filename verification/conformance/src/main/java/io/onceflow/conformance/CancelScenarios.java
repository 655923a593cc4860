package io.onceflow.conformance;

import static io.onceflow.conformance.Conduct.FAIL;
import static io.onceflow.conformance.Conduct.REFUSE;
import static io.onceflow.conformance.Conduct.SUCCEED;
import static io.onceflow.conformance.SuiteStep.Act.DO;
import static io.onceflow.conformance.SuiteStep.Act.UNDO;
import static io.onceflow.conformance.SuiteStep.FIRST;
import static io.onceflow.conformance.SuiteStep.LAST;
import static io.onceflow.conformance.SuiteStep.MIDDLE;

import io.onceflow.conformance.SagaProduct.CancelAnswer;
import io.onceflow.conformance.Trial.Violated;
import java.util.ArrayList;
import java.util.List;

/** A cancellation at each point. Its answer has to be true, and nothing that was done stays. */
final class CancelScenarios {

  private static final String EVIDENCE =
      "accepted: what was done is undone once, compensated; too late: completed";

  private CancelScenarios() {}

  static List<SagaScenario> all() {
    List<SagaScenario> all = new ArrayList<>();
    for (SuiteStep step : List.of(FIRST, MIDDLE, LAST)) {
      all.add(before(step));
      all.add(during(step));
    }
    all.add(afterTheEnd());
    all.add(whileCompensating());
    return all;
  }

  /** The step has no effect yet: its participant fails, and the product tries again. */
  private static SagaScenario before(SuiteStep step) {
    return SagaScenario.of(
        "cancel-before-" + step.word(),
        "Cancelled before the %s step has an effect.".formatted(step.word()),
        EVIDENCE,
        trial -> {
          trial.always(step, DO, FAIL).start().awaitCall(step, DO, 1);
          CancelAnswer answer = trial.product().cancel(trial.key());
          trial.always(step, DO, SUCCEED).expectCancelled(answer);
        });
  }

  private static SagaScenario during(SuiteStep step) {
    return SagaScenario.of(
        "cancel-during-" + step.word(),
        "Cancelled while the participant of the %s step works.".formatted(step.word()),
        EVIDENCE,
        trial -> {
          trial.hold(step, DO).start().awaitCall(step, DO, 1);
          CancelAnswer answer = trial.product().cancel(trial.key());
          trial.release();
          trial.expectCancelled(answer);
        });
  }

  private static SagaScenario afterTheEnd() {
    return SagaScenario.of(
        "cancel-after-end",
        "Cancelled after the last step.",
        "answered as too late; nothing is undone",
        trial -> {
          trial.start().expectCompleted(FIRST, MIDDLE, LAST);
          CancelAnswer answer = trial.product().cancel(trial.key());
          trial.expectCancelled(answer);
          if (answer == CancelAnswer.ACCEPTED) {
            throw new Violated("the cancellation of a completed saga was accepted");
          }
        });
  }

  private static SagaScenario whileCompensating() {
    return SagaScenario.of(
        "cancel-compensating",
        "Cancelled while it compensates already.",
        "each compensation once; compensated",
        trial -> {
          trial.script(LAST, DO, REFUSE).holdAnswer(MIDDLE, UNDO).start();
          trial.awaitCall(MIDDLE, UNDO, 1).product().cancel(trial.key());
          trial.release();
          trial.expectCompensated(FIRST, MIDDLE);
        });
  }
}
