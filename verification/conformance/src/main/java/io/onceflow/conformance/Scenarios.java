package io.onceflow.conformance;

import static io.onceflow.conformance.EffectLedger.Behaviour.FAIL;
import static io.onceflow.conformance.EffectLedger.Behaviour.HANG;
import static io.onceflow.conformance.EffectLedger.Behaviour.LOSE_RESPONSE;
import static io.onceflow.conformance.EffectLedger.Behaviour.REFUSE;
import static io.onceflow.conformance.EffectLedger.Behaviour.SUCCEED;
import static io.onceflow.conformance.EffectLedger.ERROR_TYPE;
import static io.onceflow.conformance.SuiteStep.Act.DO;
import static io.onceflow.conformance.SuiteStep.Act.UNDO;
import static io.onceflow.conformance.SuiteStep.FIRST;
import static io.onceflow.conformance.SuiteStep.LAST;
import static io.onceflow.conformance.SuiteStep.MIDDLE;

import io.onceflow.conformance.SagaSnapshot.State;
import io.onceflow.conformance.ScenarioResult.Skipped;
import io.onceflow.conformance.ScenarioResult.Verdict;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The scenarios, in the order of the table. */
final class Scenarios {

  private Scenarios() {}

  static List<SagaScenario> all() {
    return Stream.concat(concurrent().stream(), CrashScenarios.all().stream()).toList();
  }

  /** Those that can run at the same time. */
  static List<SagaScenario> concurrent() {
    return Stream.of(actions(), compensations(), StartScenarios.all(), CancelScenarios.all())
        .flatMap(List::stream)
        .toList();
  }

  private static List<SagaScenario> actions() {
    return List.of(
        new SagaScenario(
            "forward",
            "A saga whose participants all succeed completes.",
            "each step once, no compensation; completed",
            saga -> saga.start().expectCompleted()),
        refusal("refused-first", FIRST),
        refusal("refused-middle", MIDDLE, FIRST),
        refusal("refused-last", LAST, FIRST, MIDDLE),
        new SagaScenario(
            "action-fails-twice",
            "An action that fails twice and then succeeds has one effect.",
            "middle: 3 requests, 1 effect; completed",
            saga ->
                saga.when(MIDDLE, DO, FAIL, FAIL, SUCCEED)
                    .start()
                    .expectCompleted()
                    .expectRequests(MIDDLE, DO, 3)),
        new SagaScenario(
            "action-answer-lost",
            "An action whose response is lost is repeated as the same action.",
            "middle: 2 requests, 1 effect; completed",
            saga ->
                saga.when(MIDDLE, DO, LOSE_RESPONSE, SUCCEED)
                    .start()
                    .expectCompleted()
                    .expectRequests(MIDDLE, DO, 2)),
        new SagaScenario(
            "action-outcome-unknown",
            "An action that never responds may have been done, so it is undone.",
            "middle and first undone once, middle first; compensated",
            saga -> saga.when(MIDDLE, DO, LOSE_RESPONSE).start().expectCompensated(FIRST, MIDDLE)));
  }

  private static SagaScenario refusal(String id, SuiteStep refused, SuiteStep... before) {
    return new SagaScenario(
        id,
        "A refusal of the %s step undoes the steps before it."
            .formatted(refused.name().toLowerCase(Locale.ROOT)),
        "each earlier step undone once, the last one first; no request to later ones",
        saga -> {
          saga.when(refused, DO, REFUSE).start().expectCompensated(before);
          TestedSaga.expect(
              refused == LAST || saga.requests(LAST, DO) == 0, "the last step was requested");
        });
  }

  private static List<SagaScenario> compensations() {
    return List.of(
        new SagaScenario(
            "compensation-fails-twice",
            "A compensation that fails twice and then succeeds has one effect.",
            "undoing middle: 3 requests, 1 effect; then first; compensated",
            saga -> {
              saga.when(LAST, DO, REFUSE).when(MIDDLE, UNDO, FAIL, FAIL, SUCCEED).start();
              saga.expectCompensated(FIRST, MIDDLE).expectRequests(MIDDLE, UNDO, 3);
            }),
        new SagaScenario(
            "compensation-answer-lost",
            "A compensation whose response is lost has no second effect.",
            "undoing middle: 2 requests, 1 effect; compensated",
            saga -> {
              saga.when(LAST, DO, REFUSE).when(MIDDLE, UNDO, LOSE_RESPONSE, SUCCEED).start();
              saga.expectCompensated(FIRST, MIDDLE).expectRequests(MIDDLE, UNDO, 2);
            }),
        new SagaScenario(
            "compensation-stuck-visible",
            "A compensation that keeps failing is visible in the API, without reading the store.",
            "a state that differs from running and from compensated",
            saga -> {
              saga.when(LAST, DO, REFUSE).when(MIDDLE, UNDO, FAIL).start();
              saga.awaitRequest(MIDDLE, UNDO, 1).expectEnd(State.FAILED);
            }),
        new SagaScenario(
            "compensation-repaired",
            "Once the cause is repaired, such a saga is compensated, by itself or by an operator.",
            "middle undone once, then first; compensated",
            saga -> {
              saga.when(LAST, DO, REFUSE).when(MIDDLE, UNDO, FAIL).start();
              saga.expectEnd(State.FAILED);
              saga.when(MIDDLE, UNDO, SUCCEED).product().repair(saga.key());
              saga.expectCompensated(FIRST, MIDDLE);
            }),
        new SagaScenario(
            "error-type",
            "The type of a participant's error is shown with the saga that it ended.",
            ERROR_TYPE + " is shown",
            saga -> {
              saga.when(MIDDLE, DO, REFUSE).start();
              saga.awaitShown(ERROR_TYPE, it -> it.isEnded() && it.error().equals(ERROR_TYPE));
            }),
        new SagaScenario(
            "state-visible",
            "While a saga runs, each step is shown as completed, running or pending, later as failed.",
            "first completed, middle running, last pending; after the refusal first compensated,"
                + " middle failed",
            Scenarios::stateVisible),
        new SagaScenario(
            "two-languages",
            "A saga in one language has participants in another, both ways.",
            "effects and compensations of both",
            saga -> {
              throw new Skipped(
                  Verdict.NOT_COVERED, "no adapter has participants in another language");
            }));
  }

  private static void stateVisible(TestedSaga saga) {
    saga.when(MIDDLE, DO, HANG).start().awaitRequest(MIDDLE, DO, 1);
    Set<SuiteStep> shown = saga.read().steps().keySet();
    if (!shown.containsAll(List.of(FIRST, MIDDLE, LAST))) {
      throw new Skipped(
          Verdict.UNSUPPORTED, "while the middle step runs, only these are shown: " + shown);
    }
    awaitSteps(saga, State.COMPLETED, State.RUNNING, State.PENDING);
    saga.when(MIDDLE, DO, REFUSE).expectEnd(State.COMPENSATED);
    awaitSteps(saga, State.COMPENSATED, State.FAILED, State.PENDING);
  }

  private static void awaitSteps(TestedSaga saga, State first, State middle, State last) {
    Map<SuiteStep, State> expected = Map.of(FIRST, first, MIDDLE, middle, LAST, last);
    saga.awaitShown(expected.toString(), it -> it.steps().equals(expected));
  }
}
