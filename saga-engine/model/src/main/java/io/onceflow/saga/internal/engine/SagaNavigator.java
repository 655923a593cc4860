package io.onceflow.saga.internal.engine;

import static io.onceflow.saga.internal.engine.HistoryEvent.PIVOT_PASSED;
import static io.onceflow.saga.internal.engine.HistoryEvent.SAGA_COMPENSATED;
import static io.onceflow.saga.internal.engine.HistoryEvent.SAGA_COMPLETED;
import static io.onceflow.saga.internal.engine.HistoryEvent.SAGA_STUCK;
import static io.onceflow.saga.internal.engine.HistoryEvent.SAGA_UNSTUCK;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.Step;
import java.util.List;

/** The course of a saga through its definition: forward, and back when it is compensated. */
final class SagaNavigator {

  private final SagaDefinition<?> definition;
  private final CommandScheduler scheduler;

  SagaNavigator(SagaDefinition<?> definition, CommandScheduler scheduler) {
    this.definition = definition;
    this.scheduler = scheduler;
  }

  /** Continues in the saga's direction after the outcome of a step or compensation is known. */
  void goOn(TransitionBuilder builder) {
    if (builder.state().isTurnedRound()) {
      goBack(builder);
    } else {
      goForward(builder);
    }
  }

  /**
   * Sends the next compensations; gives up on steps that wait for the world, which may take days;
   * if the saga still goes forward, it starts to compensate for this reason.
   */
  void goBackFor(TransitionBuilder builder, String reason) {
    if (!builder.state().isTurnedRound()) {
      builder.put(builder.state().compensating(reason));
    }
    builder.state().steps().stream()
        .filter(step -> step.status() == StepStatus.AWAITING)
        .forEach(step -> giveUp(builder, step, "it is pending, and the saga is undone"));
    goBack(builder);
  }

  /** Gives up on a step that waits: it may have been done. */
  void giveUp(TransitionBuilder builder, StepState step, String why) {
    builder.put(step.givenUp());
    builder.note(HistoryEvent.GIVEN_UP, step.name(), why);
  }

  /** Whether the saga may only go forward: a pivot was run, or sent and not refused. */
  boolean isPastPivot(SagaState state) {
    return definition.pivot().flatMap(pivot -> state.step(pivot.name())).stream()
        .map(StepState::status)
        .anyMatch(
            status ->
                status == StepStatus.SUCCEEDED
                    || status == StepStatus.WAITING
                    || status == StepStatus.AWAITING);
  }

  /** Takes the parts ahead up to the first that has to wait; with none left the saga is done. */
  private void goForward(TransitionBuilder builder) {
    for (StepGroup<?> group : definition.parts()) {
      List<? extends Step<?>> ahead = ahead(builder, group);
      if (!ahead.isEmpty() && isTooLate(builder, ahead.getFirst())) {
        builder.note(HistoryEvent.DEADLINE_PASSED, null, null);
        goBackFor(builder, Reasons.DEADLINE_PASSED);
        return;
      }
      ahead.forEach(step -> take(builder, step));
      if (!isDone(builder, group)) {
        return;
      }
    }
    end(builder, SagaStatus.COMPLETED);
  }

  private static List<? extends Step<?>> ahead(TransitionBuilder builder, StepGroup<?> group) {
    return group.members().stream()
        .filter(step -> builder.step(step.name()).status() == StepStatus.PENDING)
        .toList();
  }

  private static boolean isTooLate(TransitionBuilder builder, Step<?> step) {
    return step instanceof Step.Send && builder.state().isDeadlinePassed(builder.now());
  }

  private static boolean isDone(TransitionBuilder builder, StepGroup<?> group) {
    return group.members().stream()
        .allMatch(step -> builder.step(step.name()).status() == StepStatus.SUCCEEDED);
  }

  private void take(TransitionBuilder builder, Step<?> step) {
    switch (step) {
      case Step.Send<?> send -> {
        scheduler.command(builder, send);
        if (send.isPivot()) {
          builder.put(builder.state().withoutDeadline());
        }
      }
      case Step.Run<?> run -> {
        runLocally(builder, run.name());
        if (run.isPivot()) {
          builder.put(builder.state().withoutDeadline());
        }
        builder.note(run.isPivot() ? PIVOT_PASSED : HistoryEvent.SUCCEEDED, run.name(), null);
      }
    }
  }

  private static void runLocally(TransitionBuilder builder, String step) {
    builder.put(builder.step(step).ran(builder.now()));
    builder.emit(new Effect.RunLocal(step));
  }

  /**
   * Compensates the last part that has a step to undo. Waits for the outcome of each of its steps,
   * and for each of its compensations, before it goes to the part before; with none left all is
   * undone.
   */
  private void goBack(TransitionBuilder builder) {
    for (StepGroup<?> group : definition.parts().reversed()) {
      group.members().forEach(step -> undo(builder, step));
      if (group.members().stream().anyMatch(step -> builder.step(step.name()).isAwaited())) {
        return;
      }
    }
    end(builder, SagaStatus.COMPENSATED);
  }

  private void undo(TransitionBuilder builder, Step<?> step) {
    if (builder.step(step.name()).isToBeUndone() && step instanceof Step.Send<?> send) {
      send.compensation().ifPresent(undo -> scheduler.compensation(builder, send, undo));
    }
  }

  private static void end(TransitionBuilder builder, SagaStatus end) {
    SagaState ended = builder.state().ended(end, builder.now());
    builder.put(ended);
    builder.emit(new Effect.Ended(end, ended.reason()));
    builder.note(
        end == SagaStatus.COMPLETED ? SAGA_COMPLETED : SAGA_COMPENSATED, null, ended.reason());
  }

  /**
   * Sets or clears the status STUCK, depending on the messages that the saga waits for (rule 9).
   */
  void noteWhetherStuck(TransitionBuilder builder) {
    SagaState state = builder.state();
    List<String> stuck =
        state.steps().stream().filter(scheduler::isStuck).map(StepState::name).toList();
    if (state.status() == SagaStatus.STUCK && stuck.isEmpty()) {
      builder.put(state.unstuck());
      builder.note(SAGA_UNSTUCK, null, null);
    } else if (!state.status().isEnd() && state.status() != SagaStatus.STUCK && !stuck.isEmpty()) {
      builder.put(state.stuck());
      builder.note(SAGA_STUCK, null, String.join(", ", stuck));
    }
  }
}
