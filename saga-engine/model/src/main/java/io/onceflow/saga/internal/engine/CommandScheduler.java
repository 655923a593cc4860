package io.onceflow.saga.internal.engine;

import static io.onceflow.saga.internal.engine.HistoryEvent.AWAIT_OVER;
import static io.onceflow.saga.internal.engine.HistoryEvent.COMMAND_SENT;
import static io.onceflow.saga.internal.engine.HistoryEvent.COMPENSATION_SENT;
import static io.onceflow.saga.internal.engine.HistoryEvent.SENT_AGAIN;
import static io.onceflow.saga.internal.engine.HistoryEvent.STEP_PENDING;

import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import io.onceflow.saga.internal.Compensation;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Sends a saga's messages, the first time and again. */
final class CommandScheduler {

  private final SagaDefinition<?> definition;
  private final ReplyBackoff backoff;

  CommandScheduler(SagaDefinition<?> definition, ReplyBackoff backoff) {
    this.definition = definition;
    this.backoff = backoff;
  }

  /** Sends a step's command for the first time, which fixes when the step is given up on. */
  void command(TransitionBuilder builder, Step.Send<?> step) {
    sendCommand(builder, step, expiresAt(builder, step));
    builder.note(COMMAND_SENT, step.name(), null);
  }

  /** Sends a step's compensation for the first time. */
  void compensation(TransitionBuilder builder, Step.Send<?> step, Compensation<?> undo) {
    sendCompensation(builder, step, undo);
    builder.note(COMPENSATION_SENT, step.name(), undo.name());
  }

  /** Sends an answered compensation once more, without waiting for an answer. */
  void compensationOnceMore(TransitionBuilder builder, Step.Send<?> step) {
    StepState sent = builder.step(step.name()).compensatedOnceMore(builder.now());
    String undo = step.compensation().orElseThrow().name();
    int attempt = sent.compensation().attempts();
    builder.put(sent);
    builder.emit(new Effect.SendCompensation(step.name(), undo, attempt));
    builder.note(SENT_AGAIN, step.name(), "%s, attempt %d".formatted(undo, attempt));
  }

  /** Sends again what is awaited of a step. */
  void again(TransitionBuilder builder, Step.Send<?> step) {
    StepState before = builder.step(step.name());
    switch (before.status()) {
      case WAITING -> {
        int attempt = sendCommand(builder, step, before.expiresAt());
        builder.note(SENT_AGAIN, step.name(), "attempt " + attempt);
      }
      case AWAITING -> againWhileAwaiting(builder, step, before);
      case COMPENSATING -> {
        Compensation<?> undo = step.compensation().orElseThrow();
        int attempt = sendCompensation(builder, step, undo);
        builder.note(SENT_AGAIN, step.name(), "%s, attempt %d".formatted(undo.name(), attempt));
      }
      // Nothing is awaited of these.
      case PENDING, SUCCEEDED, REFUSED, GIVEN_UP, COMPENSATED -> {}
    }
  }

  private void againWhileAwaiting(TransitionBuilder builder, Step.Send<?> step, StepState before) {
    int attempt = before.attempts() + 1;
    if (!before.isAwaitOver(builder.now())) {
      // An operator asks meanwhile.
      askAwaited(builder, before.sentWhileAwaiting(builder.now()));
    } else if (before.expiresAt() == null) {
      builder.note(AWAIT_OVER, step.name(), null);
      sendCommand(builder, step, null);
    } else {
      askOnceMore(builder, step, before);
    }
    builder.note(SENT_AGAIN, step.name(), "attempt " + attempt);
  }

  /**
   * Before a step is given up on whose reply may be lost: its participant answers again what it has
   * stored, or that the step is still pending.
   */
  private void askOnceMore(TransitionBuilder builder, Step.Send<?> step, StepState before) {
    Instant until = nextAttemptAt(builder, step, before.attempts() + 1);
    builder.note(AWAIT_OVER, step.name(), "asked once more, until " + until);
    askAwaited(builder, before.askedOnceMore(builder.now(), until));
  }

  private static void askAwaited(TransitionBuilder builder, StepState asked) {
    builder.put(asked);
    builder.emit(new Effect.SendCommand(asked.name(), asked.attempts(), asked.expiresAt()));
  }

  /** Lets a step wait for the world, for as long as its definition says. */
  void await(TransitionBuilder builder, Step.Send<?> step, Step.Await awaited) {
    StepState awaiting = builder.step(step.name()).awaiting(builder.now().plus(awaited.within()));
    builder.put(awaiting);
    builder.note(
        STEP_PENDING, step.name(), "%s until %s".formatted(awaited.event(), awaiting.dueAt()));
  }

  /** Whether a step's message that must be answered was sent too often without an answer. */
  boolean isStuck(StepState step) {
    return switch (step.status()) {
      case COMPENSATING -> backoff.isStuckAfter(step.compensation().attempts());
      case WAITING -> step.expiresAt() == null && backoff.isStuckAfter(step.attempts());
      case PENDING, AWAITING, SUCCEEDED, REFUSED, GIVEN_UP, COMPENSATED -> false;
    };
  }

  private @Nullable Instant expiresAt(TransitionBuilder builder, Step.Send<?> step) {
    if (step.isPivot() || definition.isPastPivot(step)) {
      return null;
    }
    Instant lastWaitEnds =
        builder
            .now()
            .plus(
                backoff.waits(
                    builder.state().id(), step.name(), step.attempts(), step.replyWithin()));
    return earlier(lastWaitEnds, builder.state().deadlineAt());
  }

  private int sendCommand(
      TransitionBuilder builder, Step.Send<?> step, @Nullable Instant expiresAt) {
    StepState before = builder.step(step.name());
    int attempt = before.attempts() + 1;
    builder.put(before.sent(builder.now(), dueAt(builder, step, attempt, expiresAt), expiresAt));
    builder.emit(new Effect.SendCommand(step.name(), attempt, expiresAt));
    return attempt;
  }

  private Instant dueAt(
      TransitionBuilder builder, Step.Send<?> step, int attempt, @Nullable Instant expiresAt) {
    if (expiresAt == null) {
      return builder
          .now()
          .plus(
              backoff.patientWait(builder.state().id(), step.name(), attempt, step.replyWithin()));
    }
    return earlier(nextAttemptAt(builder, step, attempt), expiresAt);
  }

  private Instant nextAttemptAt(TransitionBuilder builder, Step.Send<?> step, int attempt) {
    return builder
        .now()
        .plus(backoff.wait(builder.state().id(), step.name(), attempt, step.replyWithin()));
  }

  private int sendCompensation(TransitionBuilder builder, Step.Send<?> step, Compensation<?> undo) {
    StepState before = builder.step(step.name());
    int attempt = before.compensation().attempts() + 1;
    Instant due =
        builder
            .now()
            .plus(
                backoff.patientWait(
                    builder.state().id(), undo.name(), attempt, step.replyWithin()));
    builder.put(before.compensating(builder.now(), due));
    builder.emit(new Effect.SendCompensation(step.name(), undo.name(), attempt));
    return attempt;
  }

  private static Instant earlier(Instant one, @Nullable Instant other) {
    return other == null || one.isBefore(other) ? one : other;
  }
}
