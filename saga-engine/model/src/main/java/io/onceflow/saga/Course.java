package io.onceflow.saga;

import static io.onceflow.saga.HistoryEvent.PIVOT_PASSED;
import static io.onceflow.saga.HistoryEvent.SAGA_COMPENSATED;
import static io.onceflow.saga.HistoryEvent.SAGA_COMPLETED;
import static io.onceflow.saga.HistoryEvent.SAGA_STUCK;
import static io.onceflow.saga.HistoryEvent.SAGA_UNSTUCK;

import java.util.List;

/** The way of a saga through its definition: forward, round and back. */
final class Course {

  private final SagaDefinition<?> definition;
  private final Sending sending;

  Course(SagaDefinition<?> definition, Sending sending) {
    this.definition = definition;
    this.sending = sending;
  }

  /** Goes on in the saga's direction, now that something it may have waited for is settled. */
  void goOn(Turn turn) {
    if (turn.state().isTurnedRound()) {
      goBack(turn);
    } else {
      goForward(turn);
    }
  }

  /** Takes the next steps back; turns the saga round for this reason if it still goes forward. */
  void goBackFor(Turn turn, String reason) {
    if (!turn.state().isTurnedRound()) {
      turn.put(turn.state().compensating(reason));
    }
    goBack(turn);
  }

  /** Gives up on a step that waits: it may have been done. */
  void giveUp(Turn turn, StepState step, String why) {
    turn.put(step.givenUp());
    turn.note(HistoryEvent.GIVEN_UP, step.name(), why);
  }

  /** Whether the saga may only go forward: a pivot was run, or sent and not refused. */
  boolean isPastPivot(SagaState state) {
    return definition.pivot().flatMap(pivot -> state.step(pivot.name())).stream()
        .map(StepState::status)
        .anyMatch(status -> status == StepStatus.SUCCEEDED || status == StepStatus.WAITING);
  }

  /** Takes the parts ahead up to the first that has to wait; with none left the saga is done. */
  private void goForward(Turn turn) {
    for (Part<?> part : definition.parts()) {
      List<? extends Step<?>> ahead = ahead(turn, part);
      if (!ahead.isEmpty() && isTooLate(turn, ahead.getFirst())) {
        turn.note(HistoryEvent.DEADLINE_PASSED, null, null);
        goBackFor(turn, Reasons.DEADLINE_PASSED);
        return;
      }
      ahead.forEach(step -> take(turn, step));
      if (!isDone(turn, part)) {
        return;
      }
    }
    end(turn, SagaStatus.COMPLETED);
  }

  private static List<? extends Step<?>> ahead(Turn turn, Part<?> part) {
    return part.members().stream()
        .filter(step -> turn.step(step.name()).status() == StepStatus.PENDING)
        .toList();
  }

  private static boolean isTooLate(Turn turn, Step<?> step) {
    return step instanceof Step.Send && turn.state().isDeadlinePassed(turn.now());
  }

  private static boolean isDone(Turn turn, Part<?> part) {
    return part.members().stream()
        .allMatch(step -> turn.step(step.name()).status() == StepStatus.SUCCEEDED);
  }

  private void take(Turn turn, Step<?> step) {
    switch (step) {
      case Step.Send<?> send -> {
        sending.command(turn, send);
        if (send.isPivot()) {
          turn.put(turn.state().withoutDeadline());
        }
      }
      case Step.Run<?> run -> {
        runLocally(turn, run.name());
        turn.note(HistoryEvent.SUCCEEDED, run.name(), null);
      }
      case Step.Pivot<?> pivot -> {
        runLocally(turn, pivot.name());
        turn.put(turn.state().withoutDeadline());
        turn.note(PIVOT_PASSED, pivot.name(), null);
      }
    }
  }

  private static void runLocally(Turn turn, String step) {
    turn.put(turn.step(step).ran(turn.now()));
    turn.emit(new Effect.RunLocal(step));
  }

  /**
   * Undoes the last part of which anything is left to undo. Waits for the outcome of each of its
   * steps, and for each of its compensations, before it goes to the part before; with none left all
   * is undone.
   */
  private void goBack(Turn turn) {
    for (Part<?> part : definition.parts().reversed()) {
      part.members().forEach(step -> undo(turn, step));
      if (part.members().stream().anyMatch(step -> turn.step(step.name()).isAwaited())) {
        return;
      }
    }
    end(turn, SagaStatus.COMPENSATED);
  }

  private void undo(Turn turn, Step<?> step) {
    if (turn.step(step.name()).isToBeUndone() && step instanceof Step.Send<?> send) {
      send.compensation().ifPresent(undo -> sending.compensation(turn, send, undo));
    }
  }

  private static void end(Turn turn, SagaStatus end) {
    SagaState ended = turn.state().ended(end, turn.now());
    turn.put(ended);
    turn.emit(new Effect.Ended(end, ended.reason()));
    turn.note(
        end == SagaStatus.COMPLETED ? SAGA_COMPLETED : SAGA_COMPENSATED, null, ended.reason());
  }

  /** Shows a saga as stuck, or no longer, by what it waits for now (rule 9). */
  void noteWhetherStuck(Turn turn) {
    SagaState state = turn.state();
    List<String> stuck =
        state.steps().stream().filter(sending::isStuck).map(StepState::name).toList();
    if (state.status() == SagaStatus.STUCK && stuck.isEmpty()) {
      turn.put(state.unstuck());
      turn.note(SAGA_UNSTUCK, null, null);
    } else if (!state.status().isEnd() && state.status() != SagaStatus.STUCK && !stuck.isEmpty()) {
      turn.put(state.stuck());
      turn.note(SAGA_STUCK, null, String.join(", ", stuck));
    }
  }
}
