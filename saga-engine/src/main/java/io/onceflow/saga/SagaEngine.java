package io.onceflow.saga;

import static io.onceflow.saga.HistoryEvent.COMMAND_SENT;
import static io.onceflow.saga.HistoryEvent.COMPENSATION_SENT;
import static io.onceflow.saga.HistoryEvent.PIVOT_PASSED;
import static io.onceflow.saga.HistoryEvent.REFUSAL_IGNORED;
import static io.onceflow.saga.HistoryEvent.REPLY_IGNORED;
import static io.onceflow.saga.HistoryEvent.SAGA_COMPENSATED;
import static io.onceflow.saga.HistoryEvent.SAGA_COMPLETED;
import static io.onceflow.saga.HistoryEvent.SAGA_STARTED;
import static io.onceflow.saga.HistoryEvent.SENT_AGAIN;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The rules by which a saga goes forward and back: {@code (state, event, now) -> (state', effects,
 * history)}. Pure: the same arguments give the same transition.
 *
 * <ul>
 *   <li>Steps are taken one after the other. A step that was sent waits for its reply; a local one
 *       runs in the same transition.
 *   <li>A refusal turns the saga round: the steps that succeeded are compensated, the last one
 *       first and one at a time. The refused step has done nothing and is not.
 *   <li>A reply to a step that is not waiting changes nothing but the history.
 *   <li>A step or compensation without a reply is sent again under the same key, at growing
 *       distances, until it is answered.
 *   <li>Compensations, and steps past the pivot, may not be refused: such a reply changes nothing
 *       but the history, and the message is sent again at its time.
 * </ul>
 */
public final class SagaEngine {

  private final SagaDefinition<?> definition;
  private final Backoff backoff;

  public SagaEngine(SagaDefinition<?> definition, Backoff backoff) {
    this.definition = definition;
    this.backoff = backoff;
  }

  /**
   * Decides what an event makes of a saga.
   *
   * @param now the moment that the transition is dated; deadlines count from it
   */
  public Transition apply(SagaState state, SagaEvent event, Instant now) {
    Turn turn = new Turn(state, now);
    switch (event) {
      case SagaEvent.Started() -> start(turn);
      case SagaEvent.Replied replied -> reply(turn, replied);
      case SagaEvent.Due() -> sendWhatIsDue(turn);
    }
    return turn.end();
  }

  private void start(Turn turn) {
    if (turn.state().revision() > 0) {
      throw new IllegalStateException("saga %s was started before".formatted(turn.state().id()));
    }
    turn.note(SAGA_STARTED, null, definition.toString());
    goForward(turn);
  }

  private void reply(Turn turn, SagaEvent.Replied reply) {
    Optional<StepState> action = turn.state().step(reply.step());
    if (action.isPresent()) {
      actionReplied(turn, action.get(), reply);
      return;
    }
    definition
        .compensatedBy(reply.step())
        .ifPresentOrElse(
            step -> compensationReplied(turn, turn.step(step.name()), reply),
            () -> ignore(turn, reply, null, reply.step() + " is no step of this saga"));
  }

  private void actionReplied(Turn turn, StepState step, SagaEvent.Replied reply) {
    if (step.status() != StepStatus.WAITING) {
      ignore(turn, reply, step.name(), step.name() + " is " + step.status());
    } else if (reply.refusal() == null) {
      turn.put(step.succeeded(turn.now()));
      turn.emit(new Effect.NoteReply());
      turn.note(HistoryEvent.SUCCEEDED, step.name(), reply.type());
      goForward(turn);
    } else if (isPastPivot(turn.state())) {
      turn.note(REFUSAL_IGNORED, step.name(), reply.type() + ": " + reply.refusal());
    } else {
      turn.put(step.refused(turn.now()));
      turn.put(turn.state().compensating(reply.refusal()));
      turn.emit(new Effect.NoteReply());
      turn.note(HistoryEvent.REFUSED, step.name(), reply.type() + ": " + reply.refusal());
      goBack(turn);
    }
  }

  private void compensationReplied(Turn turn, StepState step, SagaEvent.Replied reply) {
    if (step.status() != StepStatus.COMPENSATING) {
      ignore(turn, reply, step.name(), "%s is %s".formatted(step.name(), step.status()));
    } else if (reply.refusal() != null) {
      turn.note(REFUSAL_IGNORED, step.name(), reply.type() + ": " + reply.refusal());
    } else {
      turn.put(step.compensated(turn.now()));
      turn.emit(new Effect.NoteReply());
      turn.note(HistoryEvent.COMPENSATED, step.name(), reply.type());
      goBack(turn);
    }
  }

  private static void ignore(Turn turn, SagaEvent.Replied reply, String step, String why) {
    turn.note(REPLY_IGNORED, step, reply.type() + ": " + why);
  }

  /** Takes the steps ahead up to the first that has to wait; with none left the saga is done. */
  private void goForward(Turn turn) {
    for (Step<?> step : definition.steps()) {
      if (turn.step(step.name()).status() == StepStatus.PENDING && !takenAtOnce(turn, step)) {
        return;
      }
    }
    end(turn, SagaStatus.COMPLETED);
  }

  private boolean takenAtOnce(Turn turn, Step<?> step) {
    return switch (step) {
      case Step.Send<?> send -> {
        sendCommand(turn, send);
        turn.note(COMMAND_SENT, step.name(), null);
        yield false;
      }
      case Step.Run<?> run -> {
        runLocally(turn, run.name());
        turn.note(HistoryEvent.SUCCEEDED, run.name(), null);
        yield true;
      }
      case Step.Pivot<?> pivot -> {
        runLocally(turn, pivot.name());
        turn.note(PIVOT_PASSED, pivot.name(), null);
        yield true;
      }
    };
  }

  private static void runLocally(Turn turn, String step) {
    turn.put(turn.step(step).ran(turn.now()));
    turn.emit(new Effect.RunLocal(step));
  }

  /** Compensates the last step that succeeded and can be undone; with none left all is undone. */
  private void goBack(Turn turn) {
    for (Step<?> step : definition.steps().reversed()) {
      boolean undoable = step.compensation().isPresent();
      if (undoable && turn.step(step.name()).status() == StepStatus.SUCCEEDED) {
        Compensation<?> compensation = step.compensation().get();
        sendCompensation(turn, (Step.Send<?>) step, compensation.name());
        turn.note(COMPENSATION_SENT, step.name(), compensation.name());
        return;
      }
    }
    end(turn, SagaStatus.COMPENSATED);
  }

  private void sendWhatIsDue(Turn turn) {
    for (Step<?> step : definition.steps()) {
      if (step instanceof Step.Send<?> send && turn.step(step.name()).isDue(turn.now())) {
        sendAgain(turn, send);
      }
    }
  }

  private void sendAgain(Turn turn, Step.Send<?> step) {
    switch (turn.step(step.name()).status()) {
      case WAITING -> {
        int attempt = sendCommand(turn, step);
        turn.note(SENT_AGAIN, step.name(), "attempt " + attempt);
      }
      case COMPENSATING -> {
        String name = step.compensation().orElseThrow().name();
        int attempt = sendCompensation(turn, step, name);
        turn.note(SENT_AGAIN, step.name(), name + ", attempt " + attempt);
      }
      // Nothing is due for these: their verbs cleared the timer.
      case PENDING, SUCCEEDED, REFUSED, COMPENSATED -> {}
    }
  }

  private int sendCommand(Turn turn, Step.Send<?> step) {
    StepState before = turn.step(step.name());
    int attempt = before.action().attempts() + 1;
    turn.put(before.sent(turn.now(), dueAfter(turn, step.name(), attempt, step.replyWithin())));
    turn.emit(new Effect.SendCommand(step.name(), attempt));
    return attempt;
  }

  private int sendCompensation(Turn turn, Step.Send<?> step, String name) {
    StepState before = turn.step(step.name());
    int attempt = before.compensation().attempts() + 1;
    turn.put(before.compensating(turn.now(), dueAfter(turn, name, attempt, step.replyWithin())));
    turn.emit(new Effect.SendCompensation(step.name(), name, attempt));
    return attempt;
  }

  private Instant dueAfter(Turn turn, String name, int attempt, Duration replyWithin) {
    return turn.now().plus(backoff.wait(turn.state().id(), name, attempt, replyWithin));
  }

  private static void end(Turn turn, SagaStatus end) {
    SagaState ended = turn.state().ended(end, turn.now());
    turn.put(ended);
    turn.emit(new Effect.Ended(end, ended.reason()));
    turn.note(
        end == SagaStatus.COMPLETED ? SAGA_COMPLETED : SAGA_COMPENSATED, null, ended.reason());
  }

  private boolean isPastPivot(SagaState state) {
    return definition.pivot().flatMap(pivot -> state.step(pivot.name())).stream()
        .anyMatch(step -> step.status() == StepStatus.SUCCEEDED);
  }
}
