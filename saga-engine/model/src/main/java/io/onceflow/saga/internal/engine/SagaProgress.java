package io.onceflow.saga.internal.engine;

import static io.onceflow.saga.internal.engine.HistoryEvent.AWAIT_OVER;
import static io.onceflow.saga.internal.engine.HistoryEvent.COMMAND_SENT;
import static io.onceflow.saga.internal.engine.HistoryEvent.COMPENSATION_SENT;
import static io.onceflow.saga.internal.engine.HistoryEvent.SENT_AGAIN;
import static io.onceflow.saga.internal.engine.HistoryEvent.STEP_PENDING;
import static java.util.Objects.requireNonNull;

import io.onceflow.saga.ItemSteps;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import io.onceflow.saga.Step.Compensation;
import io.onceflow.saga.Wait;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A saga's state and its subject as the event in hand has left them so far, and what was sent and
 * noted since the saga was loaded. Sends the saga's messages, the first time and again.
 *
 * @param <D> the subject
 */
final class SagaProgress<D> {

  private final SagaDefinition<D> definition;
  private final ReplyBackoff backoff;
  private final PayloadReader payloads;
  private final List<HistoryEntry> history = new ArrayList<>();
  private final List<SentCommand> commands = new ArrayList<>();
  private final List<StartedChild<?>> children = new ArrayList<>();
  private final List<UUID> undoneChildren = new ArrayList<>();

  /** The steps of the state, where there are many; empty until they are asked for. */
  private final Map<String, StepState> named = new HashMap<>();

  private SagaState state;
  private D subject;
  private boolean isSubjectChanged;
  private Instant now = Instant.EPOCH;

  SagaProgress(
      SagaDefinition<D> definition,
      ReplyBackoff backoff,
      PayloadReader payloads,
      SagaState state,
      D subject) {
    this.definition = definition;
    this.backoff = backoff;
    this.payloads = payloads;
    this.state = state;
    this.subject = subject;
  }

  /** An event happens at this moment. */
  void begin(Instant at) {
    now = at;
  }

  Instant now() {
    return now;
  }

  SagaState state() {
    return state;
  }

  D subject() {
    return subject;
  }

  boolean isSubjectChanged() {
    return isSubjectChanged;
  }

  List<HistoryEntry> history() {
    return history;
  }

  List<SentCommand> commands() {
    return commands;
  }

  List<StartedChild<?>> children() {
    return children;
  }

  List<UUID> undoneChildren() {
    return undoneChildren;
  }

  /**
   * The step of this name.
   *
   * @throws IllegalStateException if the saga was started with other steps than it is defined with
   */
  StepState step(String name) {
    return found(name)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    ("saga %s was started without step %s; a definition whose steps change needs"
                            + " a new version")
                        .formatted(state.id(), name)));
  }

  private Optional<StepState> found(String name) {
    if (state.steps().size() <= ItemSteps.MOST_ITEMS) {
      return state.step(name);
    }
    if (named.isEmpty()) {
      state.steps().forEach(step -> named.put(step.name(), step));
    }
    return Optional.ofNullable(named.get(name));
  }

  void put(StepState step) {
    state = state.with(step);
    named.computeIfPresent(step.name(), (name, before) -> step);
  }

  void put(SagaState changed) {
    state = changed;
    named.clear();
  }

  void change(UnaryOperator<D> change) {
    subject = change.apply(subject);
    isSubjectChanged = true;
  }

  void note(HistoryEvent event, @Nullable String step, @Nullable String detail) {
    history.add(new HistoryEntry(now, event, step, detail));
  }

  /** Sends a step's command for the first time, which fixes when the step times out. */
  void send(Step.Send<D> step) {
    sendCommand(step, expiresAt(step));
    note(COMMAND_SENT, step.name(), null);
  }

  /** Sends a step's compensation for the first time. */
  void compensate(Step.Send<D> step, Compensation<D> undo) {
    sendCompensation(step, undo);
    note(COMPENSATION_SENT, step.name(), undo.name());
  }

  /** Sends an answered compensation once more, without waiting for an answer. */
  void compensateOnceMore(Step.Send<D> step) {
    StepState sent = step(step.name()).compensatedOnceMore(now);
    put(sent);
    emitCompensation(step, sent);
    String undo = step.compensation().orElseThrow().name();
    note(SENT_AGAIN, step.name(), "%s, attempt %s".formatted(undo, sent.compensation().attempts()));
  }

  /** Resends what is awaited of a step, and was not answered in its time. */
  void sendAgain(Step.Send<D> step) {
    StepState before = step(step.name());
    switch (before.status()) {
      case WAITING -> {
        int attempt = sendCommand(step, before.expiresAt());
        note(SENT_AGAIN, step.name(), "attempt " + attempt);
      }
      case AWAITING -> awaitOver(step, before);
      case COMPENSATING -> {
        Compensation<D> undo = step.compensation().orElseThrow();
        int attempt = sendCompensation(step, undo);
        note(SENT_AGAIN, step.name(), "%s, attempt %s".formatted(undo.name(), attempt));
      }
      // Nothing is awaited of these.
      case PENDING, SKIPPED, SUCCEEDED, REFUSED, GIVEN_UP, COMPENSATED -> {}
    }
  }

  private void awaitOver(Step.Send<D> step, StepState before) {
    int attempt = before.attempts() + 1;
    if (before.expiresAt() == null) {
      note(AWAIT_OVER, step.name(), null);
      sendCommand(step, null);
    } else {
      askOnceMore(step, before);
    }
    note(SENT_AGAIN, step.name(), "attempt " + attempt);
  }

  /**
   * Before a step times out whose reply may be lost: its participant answers again what it has
   * stored, or that the step is still pending.
   */
  private void askOnceMore(Step.Send<D> step, StepState before) {
    Instant until = nextAttemptAt(step, before.attempts() + 1);
    note(AWAIT_OVER, step.name(), "asked once more, until " + until);
    StepState asked = before.askedOnceMore(now, until);
    put(asked);
    emitCommand(step, asked);
  }

  /**
   * Sends what is awaited of a step besides its attempts, which changes neither when it times out
   * nor how long the saga waits for the next attempt.
   *
   * @param why for the history
   */
  void repeat(Step.Send<D> step, String why) {
    StepState before = step(step.name());
    @Nullable Instant ask =
        before.askAt() == null ? null : askAt(step, before.action().repeats() + 1);
    StepState after = before.repeated(now, repeatDueAt(step, before), ask);
    put(after);
    if (after.status() == StepStatus.COMPENSATING) {
      emitCompensation(step, after);
      note(SENT_AGAIN, step.name(), step.compensation().orElseThrow().name() + ", " + why);
    } else {
      emitCommand(step, after);
      note(SENT_AGAIN, step.name(), why);
    }
  }

  private Instant repeatDueAt(Step.Send<D> step, StepState before) {
    return switch (before.status()) {
      case WAITING -> dueAt(step, before.attempts(), before.expiresAt());
      case COMPENSATING ->
          compensationDueAt(
              step, step.compensation().orElseThrow(), before.compensation().attempts());
      // A participant that waits for an external event is given no more time by being asked.
      case AWAITING, PENDING, SKIPPED, SUCCEEDED, REFUSED, GIVEN_UP, COMPENSATED ->
          requireNonNull(before.dueAt());
    };
  }

  /** Lets a step wait for an external event, for as long as its definition says. */
  void await(Step.Send<D> step, Step.Await awaited) {
    StepState before = step(step.name());
    StepState awaiting =
        before.awaiting(now.plus(awaited.within()), askAt(step, before.action().repeats()));
    put(awaiting);
    note(STEP_PENDING, step.name(), "%s until %s".formatted(awaited.event(), awaiting.dueAt()));
  }

  /**
   * What was started by a clock that was ahead, and was set back since, starts now; else it would
   * be late by as much. How long ago that was is not known. A moment that the subject names stays.
   */
  void beginWhatIsAhead() {
    for (StepState step : state.steps()) {
      if (step.isAhead(now)) {
        StepState begun = step.begunNow(now);
        put(
            definition
                .waitNamed(step.name())
                .filter(wait -> wait.child().isEmpty())
                .map(wait -> begun.until(wait.until(subject, now)))
                .orElse(begun));
      }
    }
  }

  /** Lets the saga wait itself. */
  void startWait(Wait<D> wait, HistoryEvent event) {
    Instant until = wait.until(subject, now);
    put(step(wait.name()).waiting(now, until));
    note(event, wait.name(), "until " + until);
  }

  /** Starts another saga, and lets this one wait for its end. */
  <C> void startChild(Wait<D> wait, Wait.Child<D, C> child) {
    UUID id = StartedChild.id(state.id(), wait.name(), now);
    children.add(new StartedChild<>(wait.name(), id, child.saga(), child.subject().apply(subject)));
    put(step(wait.name()).waiting(now, lookAt(wait)).with(id.toString()));
    note(
        HistoryEvent.WAIT_STARTED,
        wait.name(),
        "%s %s was started".formatted(child.saga().getSimpleName(), id));
  }

  /** The saga that was started has not ended, or is not known to have. */
  void awaitChildLonger(Wait<D> wait) {
    StepState step = step(wait.name()).waiting(now, lookAt(wait));
    put(step);
    note(HistoryEvent.AWAIT_OVER, wait.name(), "not ended, next look at " + step.dueAt());
  }

  /** Tells the saga that was started to be undone, whether it runs or is complete. */
  void undoChild(Wait<D> wait) {
    StepState before = step(wait.name());
    int attempt = before.compensation().attempts() + 1;
    String child = requireNonNull(before.outcome());
    put(before.undoing(now, now.plus(backoff.untilToldAgain(state.id(), wait.name(), attempt))));
    undoneChildren.add(UUID.fromString(child));
    if (attempt == 1) {
      note(COMPENSATION_SENT, wait.name(), "saga " + child);
    } else {
      note(SENT_AGAIN, wait.name(), "saga %s, attempt %s".formatted(child, attempt));
    }
  }

  /** If it waits for the saga that it started, it looks for its end, or tells it again, at once. */
  void hurryChild(Wait<D> wait) {
    StepState step = step(wait.name());
    if (step.status() == StepStatus.AWAITING) {
      put(step.waiting(now, now));
    } else if (step.status() == StepStatus.COMPENSATING) {
      undoChild(wait);
    }
  }

  /**
   * Its end is told at once; that may be missed, so it is looked for at growing distances. Of many
   * that end at the same time it is missed more often, and looked for sooner.
   */
  private Instant lookAt(Wait<D> wait) {
    int looks = step(wait.name()).attempts();
    boolean isOfItem = !ItemSteps.stepOf(wait.name()).equals(wait.name());
    return now.plus(
        isOfItem
            ? backoff.untilToldAgain(state.id(), wait.name(), looks + 1)
            : backoff.ask(state.id(), wait.name(), looks));
  }

  /**
   * What a saga waits for, or will, has come.
   *
   * @param payload as JSON; null where it has none
   * @param detail for the history
   */
  void takeSignal(Wait<D> wait, String hash, @Nullable String payload, String detail) {
    StepState step = step(wait.name());
    put(wait.child().isEmpty() ? step.over(now, hash) : step.over(now, hash).with(step.outcome()));
    wait.payload()
        .filter(type -> payload != null)
        .ifPresent(type -> change(it -> wait.noted(it, payloads.read(payload, type))));
    note(HistoryEvent.SUCCEEDED, wait.name(), detail);
  }

  /**
   * Whether a step's message that must be answered was sent too often without an answer. A saga
   * that was started shows by itself that it is stuck.
   */
  boolean isStuck(StepState step) {
    return switch (step.status()) {
      case COMPENSATING ->
          backoff.isStuckAfter(step.compensation().attempts())
              && definition.waitNamed(step.name()).isEmpty();
      case WAITING -> step.expiresAt() == null && backoff.isStuckAfter(step.attempts());
      case PENDING, SKIPPED, AWAITING, SUCCEEDED, REFUSED, GIVEN_UP, COMPENSATED -> false;
    };
  }

  private int sendCommand(Step.Send<D> step, @Nullable Instant expiresAt) {
    StepState before = step(step.name());
    int attempt = before.attempts() + 1;
    StepState sent = before.sent(now, dueAt(step, attempt, expiresAt), expiresAt);
    put(sent);
    emitCommand(step, sent);
    return attempt;
  }

  private int sendCompensation(Step.Send<D> step, Compensation<D> undo) {
    StepState before = step(step.name());
    int attempt = before.compensation().attempts() + 1;
    StepState sent = before.compensating(now, compensationDueAt(step, undo, attempt));
    put(sent);
    emitCompensation(step, sent);
    return attempt;
  }

  /** The subject is asked for the payload when it is sent first. */
  private void emitCommand(Step.Send<D> step, StepState sent) {
    int attempt = sent.action().sends();
    commands.add(
        new SentCommand(
            step.name(),
            null,
            attempt,
            sent.expiresAt(),
            attempt == 1 ? step.command().apply(subject) : null));
  }

  private void emitCompensation(Step.Send<D> step, StepState sent) {
    Compensation<D> undo = step.compensation().orElseThrow();
    int attempt = sent.compensation().sends();
    commands.add(
        new SentCommand(
            undo.name(),
            step.name(),
            attempt,
            null,
            attempt == 1 ? undo.command().apply(subject) : null));
  }

  private @Nullable Instant expiresAt(Step.Send<D> step) {
    if (!step.isBestEffort() && (step.isPivot() || state.isPastPivot(definition))) {
      return null;
    }
    Instant lastWaitEnds = now.plus(backoff.waits(state.id(), step));
    return earlier(lastWaitEnds, state.deadlineAt());
  }

  private Instant dueAt(Step.Send<D> step, int attempt, @Nullable Instant expiresAt) {
    return expiresAt == null
        ? now.plus(backoff.patientWait(state.id(), step.name(), attempt, step))
        : earlier(nextAttemptAt(step, attempt), expiresAt);
  }

  private Instant nextAttemptAt(Step.Send<D> step, int attempt) {
    return now.plus(backoff.wait(state.id(), step.name(), attempt, step));
  }

  private Instant compensationDueAt(Step.Send<D> step, Compensation<D> undo, int attempt) {
    return now.plus(backoff.patientWait(state.id(), undo.name(), attempt, step));
  }

  private Instant askAt(Step.Send<D> step, int repeats) {
    return now.plus(backoff.ask(state.id(), step.name(), repeats));
  }

  private static Instant earlier(Instant one, @Nullable Instant other) {
    return other == null || one.isBefore(other) ? one : other;
  }
}
