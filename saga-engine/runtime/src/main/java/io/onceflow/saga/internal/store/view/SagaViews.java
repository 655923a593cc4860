package io.onceflow.saga.internal.store.view;

import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.SagaView.Entry;
import io.onceflow.saga.SagaView.Step;
import io.onceflow.saga.SagaView.Undoing;
import io.onceflow.saga.Step.Compensation;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.RequestState;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.store.SagaOrigin;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes {@link SagaView}s of sagas as they are stored. */
public final class SagaViews {

  private SagaViews() {}

  /**
   * @param definition what the saga follows; null if this process does not know that version, and
   *     then only the steps that it has reached are shown, without what undoes them
   */
  public static SagaView of(SagaWithHistory saga, @Nullable SagaDefinition<?> definition) {
    SagaState reached = saga.saga().reached();
    SagaState state = definition == null ? reached : reached.withStepsOf(definition);
    SagaOrigin origin = saga.saga().origin();
    return new SagaView(
        state.id(),
        state.definition(),
        state.version(),
        saga.parent(),
        state.status(),
        state.reason(),
        state.startedAt(),
        saga.quarantine() == null && saga.saga().hold() == null ? state.nextActionAt() : null,
        state.deadlineAt(),
        state.endedAt(),
        saga.quarantine(),
        saga.saga().hold(),
        state.steps().stream()
            .map(step -> step(step, origin, undo(step, definition), saga.history()))
            .toList(),
        saga.history().stream().map(SagaViews::entry).toList());
  }

  private static Optional<String> undo(StepState step, @Nullable SagaDefinition<?> definition) {
    return step.compensation().attempts() == 0 || definition == null
        ? Optional.empty()
        : definition.stepNamed(step.name()).compensation().map(Compensation::name);
  }

  private static Step step(
      StepState step, SagaOrigin origin, Optional<String> undo, List<HistoryEntry> history) {
    return new Step(
        step.name(),
        step.status(),
        step.action().sends(),
        origin.stepKey(step.name()),
        step.sentAt(),
        step.repliedAt(),
        step.expiresAt(),
        step.status() == StepStatus.PENDING ? null : step.outcome(),
        undo.map(
                name ->
                    undoing(
                        name,
                        origin,
                        step.compensation(),
                        SkippedCompensation.of(step.name(), history)))
            .orElse(null));
  }

  private static Undoing undoing(
      String name, SagaOrigin origin, RequestState exchange, @Nullable String skipped) {
    return new Undoing(
        name,
        exchange.sends(),
        origin.stepKey(name),
        exchange.sentAt(),
        exchange.repliedAt(),
        skipped);
  }

  private static Entry entry(HistoryEntry entry) {
    return new Entry(entry.at(), entry.event().word(), entry.step(), entry.detail());
  }
}
