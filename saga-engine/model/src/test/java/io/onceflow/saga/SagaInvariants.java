package io.onceflow.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.engine.RequestState;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaExecution;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.SentCommand;
import io.onceflow.saga.internal.engine.StepState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What holds after every transition of every saga; remembers one saga's life to check it. */
final class SagaInvariants {

  private final SagaDefinition<?> definition;
  private final Map<String, Integer> sent = new HashMap<>();
  private final List<HistoryEntry> history = new ArrayList<>();
  private final Map<String, Instant> expiries = new HashMap<>();
  private boolean turnedRound;
  private boolean turnedRoundBefore;
  private boolean ended;
  private boolean pastPivot;

  SagaInvariants(SagaDefinition<?> definition) {
    this.definition = definition;
  }

  /**
   * Checks one transition.
   *
   * @param objection what the engine had against the event, if it was a request
   */
  void check(
      SagaState before,
      Journey subject,
      SagaEvent event,
      Optional<String> objection,
      SagaExecution<Journey> saga,
      Instant now) {
    history.addAll(saga.history());
    turnedRoundBefore = before.isTurnedRound();
    checkRevision(before, subject, saga);
    pastPivot &= !isPivotRefused(saga.state());
    checkSubject(before, subject, saga);
    saga.commands().forEach(sent -> checkCommand(saga.state(), sent));
    checkUndoneChildren(before, saga);
    checkEnd(before, saga.state());
    checkState(saga.state());
    checkHistory(saga.state());
    boolean isNoted = !saga.history().isEmpty();
    switch (event) {
      case SagaEvent.Started() -> assertThat(isNoted).isTrue();
      case SagaEvent.Queued queued -> assertThat(saga.commands()).as("sent in the queue").isEmpty();
      case SagaEvent.Replied pending when pending.reply().saysPending() ->
          assertThat(isNoted)
              .as("noted unless it is a copy")
              .isEqualTo(before.step(pending.step()).filter(SagaInvariants::isNotedOf).isPresent());
      case SagaEvent.Replied reply -> checkReplied(before, subject, reply, saga);
      case SagaEvent.Signalled signal ->
          assertThat(isNoted)
              .as("a signal is noted where it is taken or kept")
              .isEqualTo(isTaken(before, signal));
      case SagaEvent.Due() -> assertThat(isNoted).as("it was due").isEqualTo(isDue(before, now));
      case SagaEvent.Request request ->
          assertThat(isNoted)
              .as("a request is noted unless it makes no sense")
              .isEqualTo(objection.isEmpty());
    }
  }

  /**
   * A reply is noted once; each sending of a message may be answered by the same. While it is
   * awaited, and where it is the first success of a step given up on, what was said before does not
   * count.
   */
  private void checkReplied(
      SagaState before, Journey subject, SagaEvent.Replied reply, SagaExecution<Journey> saga) {
    Optional<StepState> action = before.step(reply.step());
    Optional<StepState> undone =
        definition.compensatedBy(reply.step()).flatMap(step -> before.step(step.name()));
    RequestState asked =
        action
            .map(StepState::action)
            .or(() -> undone.map(StepState::compensation))
            .orElse(RequestState.NONE);
    boolean isAwaited =
        action
                .filter(StepState::isAwaited)
                .filter(step -> step.compensation().sends() == 0)
                .isPresent()
            || undone.filter(step -> step.status() == StepStatus.COMPENSATING).isPresent();
    boolean isFirstSuccess = asked.repliedAt() == null && reply.reply().refusal().isEmpty();
    boolean isNoted =
        asked.sends() > 0
            && !reply.hash().equals(asked.reply())
            && (asked.reply() == null || isAwaited || (action.isPresent() && isFirstSuccess));
    assertThat(!saga.history().isEmpty()).as("noted: %s", reply).isEqualTo(isNoted);
    if (isNoted && !isAwaited && !isFirstSuccess) {
      assertThat(saga.commands()).as("a reply that is not awaited").isEmpty();
      assertThat(saga.subject()).isEqualTo(subject);
      assertThat(saga.state().differsFrom(before)).isFalse();
    }
  }

  /** Once; early only where the saga still goes forward, and never an approval. */
  private boolean isTaken(SagaState before, SagaEvent.Signalled signal) {
    StepState step = before.step(signal.step()).orElseThrow();
    boolean isEarly =
        step.status() == StepStatus.PENDING
            && step.action().reply() == null
            && !turnedRoundBefore
            && !before.status().isEnd()
            && definition.waitNamed(signal.step()).orElseThrow().kind() == Wait.Kind.EVENT;
    boolean isSecondTime = signal.refusal() == null && signal.by().equals(step.outcome());
    boolean isNew = !signal.hash().equals(step.action().reply()) && !isSecondTime;
    return isEarly
        || (isNew && step.status() == StepStatus.AWAITING)
        || step.status() == StepStatus.COMPENSATING;
  }

  private static boolean isAwaiting(StepState step) {
    return step.status() == StepStatus.AWAITING;
  }

  private static boolean isNotedOf(StepState step) {
    return step.status() == StepStatus.WAITING || step.isAskedOnceMore();
  }

  private static boolean isDue(SagaState state, Instant now) {
    return state.nextActionAt() != null && !state.nextActionAt().isAfter(now);
  }

  private static void checkRevision(
      SagaState before, Journey subject, SagaExecution<Journey> saga) {
    boolean changed = !saga.history().isEmpty();
    assertThat(saga.state().revision()).isEqualTo(before.revision() + (changed ? 1 : 0));
    if (!changed) {
      assertThat(saga.state()).isEqualTo(before);
      assertThat(saga.commands()).isEmpty();
      assertThat(saga.subject()).isEqualTo(subject);
    }
  }

  /** Local steps are run before anything is sent. */
  private void checkSubject(SagaState before, Journey subject, SagaExecution<Journey> saga) {
    assertThat(ended && !saga.subject().equals(subject)).as("changed after its end").isFalse();
    for (Step<?> step : definition.steps()) {
      if (step instanceof Step.Run
          && statusOf(step, before) == StepStatus.PENDING
          && statusOf(step, saga.state()) == StepStatus.SUCCEEDED) {
        assertThat(turnedRound || ended).as("running %s after going back", step).isFalse();
        assertThat(saga.subject().marks()).contains(step.name());
        pastPivot |= step.isPivot();
      }
    }
  }

  private static StepStatus statusOf(Step<?> step, SagaState state) {
    return state.step(step.name()).orElseThrow().status();
  }

  private void checkCommand(SagaState after, SentCommand command) {
    String name = command.name();
    assertThat(command.attempt()).isEqualTo(sent.merge(name, 1, Integer::sum));
    assertThat(command.command() != null).as("made once").isEqualTo(command.attempt() == 1);
    if (command.undoes() == null) {
      assertThat(ended).as("%s after the end", command).isFalse();
      assertThat(command.attempt() == 1 && turnedRound)
          .as("forward with %s after going back", name)
          .isFalse();
      pastPivot |= definition.stepNamed(name).isPivot();
      checkExpiry(after.step(name).orElseThrow(), command.expiresAt());
    } else {
      assertThat(pastPivot).as("%s past the pivot", name).isFalse();
      if (command.attempt() == 1) {
        checkReverse(after, command.undoes());
      }
    }
  }

  /** Told first when what comes after them is undone, and again until they are. */
  private void checkUndoneChildren(SagaState before, SagaExecution<Journey> saga) {
    for (UUID child : saga.undoneChildren()) {
      StepState after =
          saga.state().steps().stream()
              .filter(step -> child.toString().equals(step.outcome()))
              .findFirst()
              .orElseThrow();
      assertThat(pastPivot).as("%s undone past the pivot", after).isFalse();
      assertThat(after.status()).isEqualTo(StepStatus.COMPENSATING);
      if (before.step(after.name()).orElseThrow().status() != StepStatus.COMPENSATING) {
        checkReverse(saga.state(), after.name());
      }
    }
  }

  private void checkEnd(SagaState before, SagaState after) {
    if (after.status().isEnd() && after.status() != before.status()) {
      assertThat(ended).as("a second end").isFalse();
      boolean isUndone = after.status() == SagaStatus.COMPENSATED;
      assertThat(isUndone).isEqualTo(after.reason() != null);
      assertThat(pastPivot && isUndone).isFalse();
      ended = true;
    }
  }

  private boolean isPivotRefused(SagaState state) {
    return definition.pivots().stream()
        .flatMap(pivot -> state.step(pivot.name()).stream())
        .anyMatch(step -> step.status() == StepStatus.REFUSED);
  }

  private void checkExpiry(StepState after, @Nullable Instant expiresAt) {
    String step = after.name();
    boolean isWanted = pastPivot && !isBestEffort(step);
    assertThat(expiresAt == null).as("%s is wanted for ever", step).isEqualTo(isWanted);
    Instant first = expiries.putIfAbsent(step, expiresAt == null ? Instant.MAX : expiresAt);
    if (after.isAskedOnceMore()) {
      assertThat(expiresAt).as("%s, asked once more", step).isEqualTo(after.dueAt());
    } else if (first != null && expiresAt != null) {
      assertThat(expiresAt)
          .as("every attempt at %s expires at the same moment", step)
          .isEqualTo(first);
    }
  }

  private boolean isBestEffort(String step) {
    return definition.stepNamed(step) instanceof Step.Send<?> send && send.isBestEffort();
  }

  /** Whatever comes later in the definition has nothing left to undo; its own part may have. */
  private void checkReverse(SagaState after, String step) {
    checkReverse(after, ItemSteps.stepOf(step), definition.parts());
  }

  private void checkReverse(SagaState after, String step, List<? extends StepGroup<?>> parts) {
    boolean later = false;
    for (StepGroup<?> group : parts) {
      if (later) {
        group.all().forEach(each -> checkUndone(after, each));
      } else if (group.all().anyMatch(each -> each.name().equals(step))) {
        later = true;
        for (Step<?> own : group.members()) {
          own.ways().forEach(way -> checkReverse(after, step, way));
        }
      }
    }
  }

  private void checkUndone(SagaState state, Step<?> step) {
    state.steps().stream()
        .filter(each -> ItemSteps.stepOf(each.name()).equals(step.name()))
        .filter(each -> !(definition.stepNamed(each.name()) instanceof ItemSteps))
        .forEach(this::checkUndone);
  }

  private void checkState(SagaState state) {
    assertThat(state.status().isEnd()).isEqualTo(ended);
    assertThat(state.endedAt() != null).isEqualTo(ended);
    assertThat(state.nextActionAt() == null)
        .as("a saga has a timer until it ends")
        .isEqualTo(ended);
    boolean isQueued = state.status() == SagaStatus.QUEUED;
    assertThat(isQueued || state.steps().stream().anyMatch(StepState::isAwaited))
        .as("a saga waits for something until it ends")
        .isEqualTo(!ended);
    turnedRound = state.isTurnedRound();
    assertThat(turnedRound && state.steps().stream().anyMatch(SagaInvariants::isAwaiting))
        .as("waiting for the world while it is undone")
        .isFalse();
    assertThat(pastPivot && turnedRound).as("turned round past the pivot").isFalse();
    assertThat(pastPivot && state.deadlineAt() != null).as("a deadline past the pivot").isFalse();
    if (state.status() == SagaStatus.COMPENSATED) {
      definition.steps().forEach(step -> checkUndone(state, step));
    }
    if (state.status() == SagaStatus.COMPLETED) {
      assertThat(state.steps()).allMatch(this::isDoneOrSpared);
    }
  }

  private void checkUndone(StepState step) {
    boolean isChild = definition.waitNamed(step.name()).flatMap(Wait::child).isPresent();
    if (isChild || definition.stepNamed(step.name()).compensation().isPresent()) {
      assertThat(step.status())
          .isIn(StepStatus.COMPENSATED, StepStatus.REFUSED, StepStatus.PENDING, StepStatus.SKIPPED);
    }
  }

  /** What has failed is best effort, or something else was done instead. */
  private boolean isDoneOrSpared(StepState step) {
    return switch (step.status()) {
      case SUCCEEDED, SKIPPED -> true;
      case REFUSED, GIVEN_UP, COMPENSATED ->
          isBestEffort(step.name()) || !definition.stepNamed(step.name()).ways().isEmpty();
      case PENDING, WAITING, AWAITING, COMPENSATING -> false;
    };
  }

  /** Reads each step's status and attempts from the history alone. */
  private void checkHistory(SagaState state) {
    for (StepState step : state.steps()) {
      List<HistoryEntry> entries =
          history.stream().filter(entry -> step.name().equals(entry.step())).toList();
      Optional<StepStatus> last =
          entries.stream()
              .map(SagaInvariants::status)
              .flatMap(Optional::stream)
              .reduce((a, b) -> b);
      boolean isSkipped = step.status() == StepStatus.SKIPPED;
      assertThat(last.orElse(isSkipped ? StepStatus.SKIPPED : StepStatus.PENDING))
          .isEqualTo(step.status());
      checkAskedOnceMore(entries);
      long sends = entries.stream().map(HistoryEntry::event).filter(SagaInvariants::isSend).count();
      boolean local = !(definition.stepNamed(step.name()) instanceof Step.Send);
      assertThat(sends + (local ? step.attempts() : 0))
          .isEqualTo(step.action().sends() + step.compensation().sends());
    }
  }

  /** A step is not given up on for the end of its await unless it was asked once more, once. */
  private static void checkAskedOnceMore(List<HistoryEntry> entries) {
    int asked = 0;
    for (HistoryEntry entry : entries) {
      switch (entry.event()) {
        case STEP_PENDING -> asked = 0;
        case AWAIT_OVER -> asked = isOfTheSaga(entry) ? 0 : asked + 1;
        case GIVEN_UP -> {
          if (String.valueOf(entry.detail())
              .startsWith("it was pending for as long as it may be")) {
            assertThat(asked).as("asked once more before %s", entry).isEqualTo(1);
          }
        }
        default -> {}
      }
      assertThat(asked).as("asked once more, once: %s", entries).isLessThanOrEqualTo(1);
    }
  }

  /** The saga itself waits again; no participant is asked. */
  private static boolean isOfTheSaga(HistoryEntry over) {
    String detail = String.valueOf(over.detail());
    return detail.startsWith("until ") || detail.startsWith("not ended");
  }

  private static boolean isSend(HistoryEvent event) {
    return switch (event) {
      case COMMAND_SENT, COMPENSATION_SENT, SENT_AGAIN -> true;
      case GIVEN_UP, LATE_SUCCESS, DEADLINE_PASSED, STEP_PENDING, AWAIT_OVER -> false;
      case SAGA_STUCK, SAGA_UNSTUCK, SAGA_QUARANTINED, SAGA_HELD, SAGA_RESUMED, SAGA_MIGRATED ->
          false;
      case CANCEL_REQUESTED, COMPENSATION_REQUESTED, RETRY_REQUESTED -> false;
      case SAGA_QUEUED, SAGA_STARTED, SUCCEEDED, REFUSED, PIVOT_PASSED, COMPENSATED -> false;
      case REPLY_IGNORED, REFUSAL_IGNORED, SAGA_COMPLETED, SAGA_COMPENSATED -> false;
      case BRANCH_TAKEN, ITEMS_FIXED, WAIT_STARTED, SIGNAL_KEPT, APPROVED -> false;
    };
  }

  private static Optional<StepStatus> status(HistoryEntry entry) {
    return switch (entry.event()) {
      case COMMAND_SENT -> Optional.of(StepStatus.WAITING);
      case AWAIT_OVER ->
          Optional.of(entry.detail() == null ? StepStatus.WAITING : StepStatus.AWAITING);
      case STEP_PENDING, WAIT_STARTED -> Optional.of(StepStatus.AWAITING);
      case BRANCH_TAKEN, ITEMS_FIXED -> Optional.of(StepStatus.SUCCEEDED);
      case SIGNAL_KEPT, APPROVED -> Optional.empty();
      case SUCCEEDED, PIVOT_PASSED -> Optional.of(StepStatus.SUCCEEDED);
      case REFUSED -> Optional.of(StepStatus.REFUSED);
      case GIVEN_UP -> Optional.of(StepStatus.GIVEN_UP);
      case LATE_SUCCESS, DEADLINE_PASSED -> Optional.empty();
      case SAGA_STUCK, SAGA_UNSTUCK, SAGA_QUARANTINED -> Optional.empty();
      case SAGA_HELD, SAGA_RESUMED, SAGA_MIGRATED -> Optional.empty();
      case CANCEL_REQUESTED, COMPENSATION_REQUESTED, RETRY_REQUESTED -> Optional.empty();
      case COMPENSATION_SENT -> Optional.of(StepStatus.COMPENSATING);
      case COMPENSATED -> Optional.of(StepStatus.COMPENSATED);
      case SAGA_QUEUED, SAGA_STARTED, SENT_AGAIN, REPLY_IGNORED, REFUSAL_IGNORED ->
          Optional.empty();
      case SAGA_COMPLETED, SAGA_COMPENSATED -> Optional.empty();
    };
  }
}
