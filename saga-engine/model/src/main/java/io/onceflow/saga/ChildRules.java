package io.onceflow.saga;

import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import java.util.List;

/**
 * What a definition must keep to where it starts other sagas. It stands past the pivot on every
 * path: so the saga is not undone while the other one runs, and an end of the other one is final.
 */
final class ChildRules {

  private final String saga;

  private ChildRules(String saga) {
    this.saga = saga;
  }

  static void check(SagaDefinition<?> definition) {
    if (!definition.children().isEmpty()) {
      new ChildRules(definition.name()).check(definition.parts(), false);
    }
  }

  /** Checks what is started, and says whether these parts lead past the pivot in any case. */
  private boolean check(List<? extends StepGroup<?>> parts, boolean isPast) {
    boolean isNow = isPast;
    for (StepGroup<?> part : parts) {
      for (Step<?> step : part.members()) {
        if (step instanceof Wait<?> wait && wait.child().isPresent()) {
          check(wait, isNow);
        }
        isNow = check(step, isNow);
      }
    }
    return isNow;
  }

  private boolean check(Step<?> step, boolean isPast) {
    boolean isNow = isPast || step.isPivot();
    boolean isPastEach = step instanceof Choice;
    for (List<? extends StepGroup<?>> way : step.ways()) {
      isPastEach &= check(way, isNow);
    }
    return isNow || isPastEach;
  }

  private void check(Wait<?> wait, boolean isPast) {
    if (!isPast) {
      throw invalid(
          "start %s of saga %s comes before the pivot on some path, where this saga may be undone; a"
              + " saga that was started is not undone with it, so move it behind the pivot.",
          wait);
    }
    if (wait.alternative().isEmpty()) {
      throw invalid(
          "start %s of saga %s comes after the pivot, where nothing is compensated when the saga that"
              + " it starts is; say with otherwise(...) what is done then.",
          wait);
    }
    if (wait.atMost().isPresent() || wait.payload().isPresent()) {
      throw invalid(
          "start %s of saga %s has atMost(...) or on(...); it ends with the saga that it starts, and"
              + " brings no event, so remove that.",
          wait);
    }
  }

  private SagaDefinitionInvalid invalid(String message, Wait<?> wait) {
    return new SagaDefinitionInvalid(message.formatted('"' + wait.name() + '"', '"' + saga + '"'));
  }
}
