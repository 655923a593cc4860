package io.onceflow.saga;

import static io.onceflow.saga.HistoryEvent.COMMAND_SENT;
import static io.onceflow.saga.HistoryEvent.COMPENSATION_SENT;
import static io.onceflow.saga.HistoryEvent.SENT_AGAIN;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How a saga's messages go out, for the first time and again. */
final class Sending {

  private final SagaDefinition<?> definition;
  private final Backoff backoff;

  Sending(SagaDefinition<?> definition, Backoff backoff) {
    this.definition = definition;
    this.backoff = backoff;
  }

  /** Sends a step's command for the first time, which fixes when the step is given up on. */
  void command(Turn turn, Step.Send<?> step) {
    sendCommand(turn, step, expiresAt(turn, step));
    turn.note(COMMAND_SENT, step.name(), null);
  }

  /** Sends a step's compensation for the first time. */
  void compensation(Turn turn, Step.Send<?> step, Compensation<?> undo) {
    sendCompensation(turn, step, undo);
    turn.note(COMPENSATION_SENT, step.name(), undo.name());
  }

  /** Sends a compensation that was answered once more, and waits for nothing. */
  void compensationOnceMore(Turn turn, Step.Send<?> step) {
    StepState sent = turn.step(step.name()).compensatedOnceMore(turn.now());
    String undo = step.compensation().orElseThrow().name();
    int attempt = sent.compensation().attempts();
    turn.put(sent);
    turn.emit(new Effect.SendCompensation(step.name(), undo, attempt));
    turn.note(SENT_AGAIN, step.name(), "%s, attempt %d".formatted(undo, attempt));
  }

  /** Sends again what is awaited of a step. */
  void again(Turn turn, Step.Send<?> step) {
    StepState before = turn.step(step.name());
    switch (before.status()) {
      case WAITING -> {
        int attempt = sendCommand(turn, step, before.expiresAt());
        turn.note(SENT_AGAIN, step.name(), "attempt " + attempt);
      }
      case COMPENSATING -> {
        Compensation<?> undo = step.compensation().orElseThrow();
        int attempt = sendCompensation(turn, step, undo);
        turn.note(SENT_AGAIN, step.name(), "%s, attempt %d".formatted(undo.name(), attempt));
      }
      // Nothing is awaited of these.
      case PENDING, SUCCEEDED, REFUSED, GIVEN_UP, COMPENSATED -> {}
    }
  }

  /** Whether a step's message that must be answered was sent too often without an answer. */
  boolean isStuck(StepState step) {
    return switch (step.status()) {
      case COMPENSATING -> backoff.isStuckAfter(step.compensation().attempts());
      case WAITING -> step.expiresAt() == null && backoff.isStuckAfter(step.attempts());
      case PENDING, SUCCEEDED, REFUSED, GIVEN_UP, COMPENSATED -> false;
    };
  }

  private @Nullable Instant expiresAt(Turn turn, Step.Send<?> step) {
    if (step.isPivot() || definition.isPastPivot(step)) {
      return null;
    }
    Instant lastWaitEnds =
        turn.now()
            .plus(
                backoff.waits(turn.state().id(), step.name(), step.attempts(), step.replyWithin()));
    return earlier(lastWaitEnds, turn.state().deadlineAt());
  }

  private int sendCommand(Turn turn, Step.Send<?> step, @Nullable Instant expiresAt) {
    StepState before = turn.step(step.name());
    int attempt = before.attempts() + 1;
    turn.put(before.sent(turn.now(), dueAt(turn, step, attempt, expiresAt), expiresAt));
    turn.emit(new Effect.SendCommand(step.name(), attempt, expiresAt));
    return attempt;
  }

  private Instant dueAt(Turn turn, Step.Send<?> step, int attempt, @Nullable Instant expiresAt) {
    if (expiresAt == null) {
      return turn.now()
          .plus(backoff.patientWait(turn.state().id(), step.name(), attempt, step.replyWithin()));
    }
    Instant next =
        turn.now().plus(backoff.wait(turn.state().id(), step.name(), attempt, step.replyWithin()));
    return earlier(next, expiresAt);
  }

  private int sendCompensation(Turn turn, Step.Send<?> step, Compensation<?> undo) {
    StepState before = turn.step(step.name());
    int attempt = before.compensation().attempts() + 1;
    Instant due =
        turn.now()
            .plus(backoff.patientWait(turn.state().id(), undo.name(), attempt, step.replyWithin()));
    turn.put(before.compensating(turn.now(), due));
    turn.emit(new Effect.SendCompensation(step.name(), undo.name(), attempt));
    return attempt;
  }

  private static Instant earlier(Instant one, @Nullable Instant other) {
    return other == null || one.isBefore(other) ? one : other;
  }
}
