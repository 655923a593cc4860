package io.onceflow.saga;

import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import java.util.ArrayList;
import java.util.List;

/**
 * What a definition must keep to where it starts other sagas. One that is started before the pivot
 * is undone with this saga; past the pivot this saga needs another way where the other one is
 * compensated.
 */
final class ChildRules<D> {

  private final List<Wait<D>> before = new ArrayList<>();

  private ChildRules() {}

  /** The waits for sagas that are started where, on some path, no pivot comes before. */
  static <D> List<Wait<D>> beforePivot(List<StepGroup<D>> parts) {
    ChildRules<D> rules = new ChildRules<>();
    rules.isPast(parts, false);
    return List.copyOf(rules.before);
  }

  /** Notes what is started before the pivot, and says whether these parts lead past it always. */
  private boolean isPast(List<StepGroup<D>> parts, boolean isPast) {
    boolean isNow = isPast;
    for (StepGroup<D> part : parts) {
      for (Step<D> step : part.members()) {
        if (!isNow) {
          SagaDefinition.startedBy(step).ifPresent(before::add);
        }
        isNow = isPast(step, isNow);
      }
    }
    return isNow;
  }

  private boolean isPast(Step<D> step, boolean isPast) {
    boolean isNow = isPast || step.isPivot();
    boolean isPastEach = step instanceof Choice;
    for (List<StepGroup<D>> way : step.ways()) {
      isPastEach &= isPast(way, isNow);
    }
    return isNow || isPastEach;
  }

  static void check(SagaDefinition<?> definition) {
    for (Wait<?> wait : definition.children()) {
      if (definition.isPastPivot(wait) && wait.alternative().isEmpty()) {
        throw invalid(
            "start %s of saga %s comes after the pivot, where nothing is compensated when the saga that"
                + " it starts is; say with otherwise(...) what is done then, or bestEffort() for items.",
            definition, wait);
      }
      if (wait.atMost().isPresent() || wait.payload().isPresent()) {
        throw invalid(
            "start %s of saga %s has atMost(...) or on(...); it ends with the saga that it starts, and"
                + " brings no event, so remove that.",
            definition, wait);
      }
    }
  }

  private static SagaDefinitionInvalid invalid(
      String message, SagaDefinition<?> definition, Wait<?> wait) {
    return new SagaDefinitionInvalid(
        message.formatted('"' + wait.name() + '"', '"' + definition.name() + '"'));
  }
}
