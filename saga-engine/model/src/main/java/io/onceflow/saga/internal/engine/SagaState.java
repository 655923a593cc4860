package io.onceflow.saga.internal.engine;

import io.onceflow.saga.ItemSteps;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How far a saga has come. Immutable; {@link SagaExecution} makes the next one of it.
 *
 * @param definition the definition's name
 * @param version the definition's version, which only a migration changes
 * @param reason why the saga is or was undone; null while nothing speaks against it
 * @param steps every step of the definition, in its order
 * @param startedAt when the saga was made
 * @param deadlineAt when it is undone unless it has reached its pivot; null once that is settled
 * @param endedAt when it ended; null until then
 * @param revision counts the transitions, so that two writers cannot both follow the same state
 */
public record SagaState(
    UUID id,
    String definition,
    int version,
    SagaStatus status,
    @Nullable String reason,
    List<StepState> steps,
    Instant startedAt,
    @Nullable Instant deadlineAt,
    @Nullable Instant endedAt,
    long revision) {

  public SagaState {
    steps = List.copyOf(steps);
  }

  /** A saga whose steps are all PENDING, to be started by {@link SagaEvent.Started}. */
  public static SagaState toBeStarted(UUID id, SagaDefinition<?> definition, Instant now) {
    List<StepState> steps =
        definition.steps().stream().map(step -> StepState.pending(step.name())).toList();
    return new SagaState(
        id,
        definition.name(),
        definition.version(),
        SagaStatus.RUNNING,
        null,
        steps,
        now,
        now.plus(definition.deadline()),
        null,
        0);
  }

  /**
   * This state with every step of the definition. A store need not keep the steps that were never
   * reached; they are PENDING.
   *
   * @throws IllegalStateException if the saga has reached a step that the definition does not have
   */
  public SagaState withStepsOf(SagaDefinition<?> known) {
    List<StepState> all = known.steps().stream().flatMap(step -> reached(step).stream()).toList();
    if (!all.containsAll(steps)) {
      throw new IllegalStateException(
          ("saga %s has reached steps that %s does not have: %s; when steps change, give the"
                  + " definition a new version and keep the old one beside it")
              .formatted(id, known, steps));
    }
    return withSteps(all);
  }

  /** This state as one of another version, with these of its steps; the others are PENDING. */
  SagaState following(SagaDefinition<?> other, List<StepState> reached) {
    return new SagaState(
            id,
            definition,
            other.version(),
            status,
            reason,
            reached,
            startedAt,
            deadlineAt,
            endedAt,
            revision)
        .withStepsOf(other);
  }

  /** A step, and those of its items, once they are fixed. */
  private List<StepState> reached(Step<?> step) {
    StepState its = reached(step.name());
    List<StepState> all = new ArrayList<>(List.of(its));
    if (step instanceof ItemSteps<?, ?>) {
      ItemKeys.of(its).forEach(key -> all.add(reached(ItemKeys.step(step.name(), key))));
    }
    return all;
  }

  private StepState reached(String name) {
    return step(name).orElseGet(() -> StepState.pending(name));
  }

  /** The items of a step are fixed: each gets a step of its own. */
  SagaState withItems(StepState fixed) {
    List<StepState> all = new ArrayList<>();
    for (StepState step : steps) {
      if (step.name().equals(fixed.name())) {
        all.add(fixed);
        ItemKeys.of(fixed)
            .forEach(key -> all.add(StepState.pending(ItemKeys.step(fixed.name(), key))));
      } else {
        all.add(step);
      }
    }
    return withSteps(all);
  }

  /** This state with these steps instead: for stores, which keep the two apart. */
  public SagaState withSteps(List<StepState> others) {
    return with(status, reason, others, deadlineAt, endedAt, revision);
  }

  /** When something falls due unless a reply comes first; null once the saga has ended. */
  public @Nullable Instant nextActionAt() {
    return Stream.concat(
            steps.stream().flatMap(step -> Stream.of(step.dueAt(), step.askAt())),
            Stream.ofNullable(deadlineAt))
        .filter(Objects::nonNull)
        .min(Instant::compareTo)
        .orElse(null);
  }

  /** The step of this name; empty if the saga has none. */
  public Optional<StepState> step(String name) {
    return steps.stream().filter(step -> step.name().equals(name)).findFirst();
  }

  SagaState with(StepState changed) {
    return withSteps(
        steps.stream().map(step -> step.name().equals(changed.name()) ? changed : step).toList());
  }

  public boolean isDeadlinePassed(Instant now) {
    return deadlineAt != null && !deadlineAt.isAfter(now);
  }

  public boolean isTurnedRound() {
    return reason != null;
  }

  /** Whether the saga may only go forward: a pivot was run, or sent and not refused. */
  boolean isPastPivot(SagaDefinition<?> definition) {
    return definition.pivots().stream()
        .flatMap(pivot -> step(pivot.name()).stream())
        .anyMatch(step -> step.status() == StepStatus.SUCCEEDED || step.isWaiting());
  }

  SagaState queued() {
    return withStatus(SagaStatus.QUEUED, reason, deadlineAt, null);
  }

  SagaState admitted() {
    return withStatus(SagaStatus.RUNNING, reason, deadlineAt, null);
  }

  SagaState compensating(String why) {
    return withStatus(SagaStatus.COMPENSATING, why, null, null);
  }

  /** The pivot has been reached: from here on there is no deadline. */
  SagaState withoutDeadline() {
    return withStatus(status, reason, null, null);
  }

  /**
   * The deadline does not count the time in which a participant waits for an external event, or the
   * saga waits itself: it is put off when that starts, and what was not needed is taken back when
   * it ends. It does count the sagas of items, which may be many, one after the other.
   */
  SagaState withDeadlineAfter(SagaState before, Instant now) {
    Duration shift = Duration.between(before.awaitsUntil(now), awaitsUntil(now));
    return deadlineAt == null || shift.isZero()
        ? this
        : withStatus(status, reason, deadlineAt.plus(shift), endedAt);
  }

  private Instant awaitsUntil(Instant now) {
    return steps.stream()
        .filter(step -> step.status() == StepStatus.AWAITING)
        .filter(step -> ItemSteps.stepOf(step.name()).equals(step.name()))
        .map(StepState::dueAt)
        .filter(Objects::nonNull)
        .filter(now::isBefore)
        .max(Instant::compareTo)
        .orElse(now);
  }

  SagaState stuck() {
    return withStatus(SagaStatus.STUCK, reason, deadlineAt, null);
  }

  SagaState unstuck() {
    return withStatus(
        isTurnedRound() ? SagaStatus.COMPENSATING : SagaStatus.RUNNING, reason, deadlineAt, null);
  }

  SagaState ended(SagaStatus end, Instant now) {
    return withStatus(end, reason, null, now);
  }

  /** Whether more differs than the revision, and which replies the steps remember. */
  public boolean differsFrom(SagaState other) {
    return status != other.status
        || !Objects.equals(deadlineAt, other.deadlineAt)
        || !withoutMemory().equals(other.withoutMemory());
  }

  private List<StepState> withoutMemory() {
    return steps.stream().map(StepState::withoutMemory).toList();
  }

  SagaState next() {
    return with(status, reason, steps, deadlineAt, endedAt, revision + 1);
  }

  private SagaState withStatus(
      SagaStatus newStatus,
      @Nullable String newReason,
      @Nullable Instant newDeadlineAt,
      @Nullable Instant newEndedAt) {
    if (status.isEnd()) {
      throw new IllegalStateException(
          "saga %s has ended as %s and cannot become %s".formatted(id, status, newStatus));
    }
    return with(newStatus, newReason, steps, newDeadlineAt, newEndedAt, revision);
  }

  private SagaState with(
      SagaStatus newStatus,
      @Nullable String newReason,
      List<StepState> newSteps,
      @Nullable Instant newDeadlineAt,
      @Nullable Instant newEndedAt,
      long newRevision) {
    return new SagaState(
        id,
        definition,
        version,
        newStatus,
        newReason,
        newSteps,
        startedAt,
        newDeadlineAt,
        newEndedAt,
        newRevision);
  }
}
