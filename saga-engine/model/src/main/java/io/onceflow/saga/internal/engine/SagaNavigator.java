package io.onceflow.saga.internal.engine;

import static io.onceflow.saga.internal.engine.HistoryEvent.PIVOT_PASSED;
import static io.onceflow.saga.internal.engine.HistoryEvent.SAGA_COMPENSATED;
import static io.onceflow.saga.internal.engine.HistoryEvent.SAGA_COMPLETED;
import static io.onceflow.saga.internal.engine.HistoryEvent.SAGA_STUCK;
import static io.onceflow.saga.internal.engine.HistoryEvent.SAGA_UNSTUCK;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.Step;
import java.util.List;

/** Leads a saga through its definition: forward, and back when it is compensated. */
final class SagaNavigator<D> {

  private final SagaDefinition<D> definition;
  private final SagaProgress<D> saga;

  SagaNavigator(SagaDefinition<D> definition, SagaProgress<D> saga) {
    this.definition = definition;
    this.saga = saga;
  }

  /** Continues in the saga's direction after the outcome of a step or compensation is known. */
  void goOn() {
    if (saga.state().isTurnedRound()) {
      goBack();
    } else {
      goForward();
    }
  }

  /**
   * Sends the next compensations; ends steps that wait for an external event, which may take days;
   * if the saga still goes forward, it starts to compensate for this reason.
   */
  void goBackFor(String reason) {
    if (!saga.state().isTurnedRound()) {
      saga.put(saga.state().compensating(reason));
    }
    saga.state().steps().stream()
        .filter(step -> step.status() == StepStatus.AWAITING)
        .forEach(step -> giveUp(step, "it is pending, and the saga is undone"));
    goBack();
  }

  /** Times out a step that waits: it may have been done. */
  void giveUp(StepState step, String why) {
    saga.put(step.givenUp());
    saga.note(HistoryEvent.GIVEN_UP, step.name(), why);
  }

  /** Takes the parts ahead up to the first that has to wait; with none left the saga is done. */
  private void goForward() {
    for (StepGroup<D> group : definition.parts()) {
      List<Step<D>> ahead =
          group.members().stream().filter(step -> status(step) == StepStatus.PENDING).toList();
      if (!ahead.isEmpty() && isTooLate(ahead.getFirst())) {
        saga.note(HistoryEvent.DEADLINE_PASSED, null, null);
        goBackFor(Reasons.DEADLINE_PASSED);
        return;
      }
      ahead.forEach(this::take);
      if (!group.members().stream().allMatch(step -> status(step) == StepStatus.SUCCEEDED)) {
        return;
      }
    }
    end(SagaStatus.COMPLETED);
  }

  private StepStatus status(Step<D> step) {
    return saga.step(step.name()).status();
  }

  private boolean isTooLate(Step<D> step) {
    return step instanceof Step.Send && saga.state().isDeadlinePassed(saga.now());
  }

  private void take(Step<D> step) {
    switch (step) {
      case Step.Send<D> send -> saga.send(send);
      case Step.Run<D> run -> {
        saga.put(saga.step(run.name()).ran(saga.now()));
        saga.change(run.action());
        saga.note(run.isPivot() ? PIVOT_PASSED : HistoryEvent.SUCCEEDED, run.name(), null);
      }
    }
    if (step.isPivot()) {
      saga.put(saga.state().withoutDeadline());
    }
  }

  /**
   * Compensates the last part that has a step to undo. Waits for the outcome of each of its steps,
   * and for each of its compensations, before it goes to the part before; with none left all is
   * undone.
   */
  private void goBack() {
    for (StepGroup<D> group : definition.parts().reversed()) {
      group.members().forEach(this::undo);
      if (group.members().stream().anyMatch(step -> saga.step(step.name()).isAwaited())) {
        return;
      }
    }
    end(SagaStatus.COMPENSATED);
  }

  private void undo(Step<D> step) {
    if (saga.step(step.name()).isToBeUndone() && step instanceof Step.Send<D> send) {
      send.compensation().ifPresent(undo -> saga.compensate(send, undo));
    }
  }

  private void end(SagaStatus end) {
    SagaState ended = saga.state().ended(end, saga.now());
    String reason = ended.reason();
    saga.put(ended);
    if (end == SagaStatus.COMPENSATED && reason != null) {
      saga.change(subject -> definition.compensated(subject, reason));
    }
    saga.note(end == SagaStatus.COMPLETED ? SAGA_COMPLETED : SAGA_COMPENSATED, null, reason);
  }

  /**
   * Sets or clears the status STUCK, depending on the messages that the saga waits for (rule 9).
   */
  void noteWhetherStuck() {
    SagaState state = saga.state();
    List<String> stuck = state.steps().stream().filter(saga::isStuck).map(StepState::name).toList();
    if (state.status() == SagaStatus.STUCK && stuck.isEmpty()) {
      saga.put(state.unstuck());
      saga.note(SAGA_UNSTUCK, null, null);
    } else if (!state.status().isEnd() && state.status() != SagaStatus.STUCK && !stuck.isEmpty()) {
      saga.put(state.stuck());
      saga.note(SAGA_STUCK, null, String.join(", ", stuck));
    }
  }
}
