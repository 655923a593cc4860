package io.onceflow.saga.internal.engine;

import static io.onceflow.saga.internal.engine.HistoryEvent.AWAIT_OVER;
import static io.onceflow.saga.internal.engine.HistoryEvent.COMMAND_SENT;
import static io.onceflow.saga.internal.engine.HistoryEvent.COMPENSATION_SENT;
import static io.onceflow.saga.internal.engine.HistoryEvent.SENT_AGAIN;
import static io.onceflow.saga.internal.engine.HistoryEvent.STEP_PENDING;
import static java.util.Objects.requireNonNull;

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
    builder.emit(new Effect.SendCompensation(step.name(), undo, sent.compensation().sends()));
    builder.note(SENT_AGAIN, step.name(), "%s, attempt %s".formatted(undo, attempt));
  }

  /** Sends again what is awaited of a step, and was not answered in its time. */
  void again(TransitionBuilder builder, Step.Send<?> step) {
    StepState before = builder.step(step.name());
    switch (before.status()) {
      case WAITING -> {
        int attempt = sendCommand(builder, step, before.expiresAt());
        builder.note(SENT_AGAIN, step.name(), "attempt " + attempt);
      }
      case AWAITING -> awaitOver(builder, step, before);
      case COMPENSATING -> {
        Compensation<?> undo = step.compensation().orElseThrow();
        int attempt = sendCompensation(builder, step, undo);
        builder.note(SENT_AGAIN, step.name(), "%s, attempt %s".formatted(undo.name(), attempt));
      }
      // Nothing is awaited of these.
      case PENDING, SUCCEEDED, REFUSED, GIVEN_UP, COMPENSATED -> {}
    }
  }

  private void awaitOver(TransitionBuilder builder, Step.Send<?> step, StepState before) {
    int attempt = before.attempts() + 1;
    if (before.expiresAt() == null) {
      builder.note(AWAIT_OVER, step.name(), null);
      sendCommand(builder, step, null);
    } else {
      askOnceMore(builder, step, before);
    }
    builder.note(SENT_AGAIN, step.name(), "attempt " + attempt);
  }

  /**
   * Sends what is awaited of a step besides its attempts, which changes neither when it is given up
   * on nor how long the saga waits for the next attempt.
   *
   * @param why for the history
   */
  void repeat(TransitionBuilder builder, Step.Send<?> step, String why) {
    StepState before = builder.step(step.name());
    int repeats = before.action().repeats() + 1;
    @Nullable Instant ask = before.askAt() == null ? null : askAt(builder, before.name(), repeats);
    StepState after = before.repeated(builder.now(), repeatDueAt(builder, step, before), ask);
    builder.put(after);
    if (after.status() == StepStatus.COMPENSATING) {
      String undo = step.compensation().orElseThrow().name();
      builder.emit(new Effect.SendCompensation(step.name(), undo, after.compensation().sends()));
      builder.note(SENT_AGAIN, step.name(), undo + ", " + why);
    } else {
      emitCommand(builder, after);
      builder.note(SENT_AGAIN, step.name(), why);
    }
  }

  private Instant repeatDueAt(TransitionBuilder builder, Step.Send<?> step, StepState before) {
    return switch (before.status()) {
      case WAITING -> dueAt(builder, step, before.attempts(), before.expiresAt());
      case COMPENSATING ->
          compensationDueAt(
              builder, step, step.compensation().orElseThrow(), before.compensation().attempts());
      // A participant that waits for the world is given no more time by being asked.
      case AWAITING, PENDING, SUCCEEDED, REFUSED, GIVEN_UP, COMPENSATED ->
          requireNonNull(before.dueAt());
    };
  }

  /**
   * Before a step is given up on whose reply may be lost: its participant answers again what it has
   * stored, or that the step is still pending.
   */
  private void askOnceMore(TransitionBuilder builder, Step.Send<?> step, StepState before) {
    Instant until = nextAttemptAt(builder, step, before.attempts() + 1);
    builder.note(AWAIT_OVER, step.name(), "asked once more, until " + until);
    StepState asked = before.askedOnceMore(builder.now(), until);
    builder.put(asked);
    emitCommand(builder, asked);
  }

  private static void emitCommand(TransitionBuilder builder, StepState sent) {
    builder.emit(new Effect.SendCommand(sent.name(), sent.action().sends(), sent.expiresAt()));
  }

  /** Lets a step wait for the world, for as long as its definition says. */
  void await(TransitionBuilder builder, Step.Send<?> step, Step.Await awaited) {
    StepState before = builder.step(step.name());
    StepState awaiting =
        before.awaiting(
            builder.now().plus(awaited.within()),
            askAt(builder, before.name(), before.action().repeats()));
    builder.put(awaiting);
    builder.note(
        STEP_PENDING, step.name(), "%s until %s".formatted(awaited.event(), awaiting.dueAt()));
  }

  private Instant askAt(TransitionBuilder builder, String step, int repeats) {
    return builder.now().plus(backoff.ask(builder.state().id(), step, repeats));
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
    StepState sent =
        before.sent(builder.now(), dueAt(builder, step, attempt, expiresAt), expiresAt);
    builder.put(sent);
    emitCommand(builder, sent);
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
    StepState sent =
        before.compensating(builder.now(), compensationDueAt(builder, step, undo, attempt));
    builder.put(sent);
    builder.emit(
        new Effect.SendCompensation(step.name(), undo.name(), sent.compensation().sends()));
    return attempt;
  }

  private Instant compensationDueAt(
      TransitionBuilder builder, Step.Send<?> step, Compensation<?> undo, int attempt) {
    return builder
        .now()
        .plus(backoff.patientWait(builder.state().id(), undo.name(), attempt, step.replyWithin()));
  }

  private static Instant earlier(Instant one, @Nullable Instant other) {
    return other == null || one.isBefore(other) ? one : other;
  }
}
