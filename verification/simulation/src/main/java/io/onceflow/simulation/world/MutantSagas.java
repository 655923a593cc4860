package io.onceflow.simulation.world;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.internal.engine.RequestState;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.store.DueSagas;
import io.onceflow.saga.internal.store.StoredSaga;
import io.onceflow.simulation.Rule;
import io.onceflow.simulation.database.Database;
import io.onceflow.simulation.database.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Gives the engine changed states of sagas, so that it breaks one of its rules. */
final class MutantSagas extends MemorySagas {

  private final Rule without;

  /** The step that the reply at hand is for, by saga; a reply is taken as if it were awaited. */
  private final Map<UUID, String> replied = new HashMap<>();

  /** When the timer at hand has fired, by saga. */
  private final Map<UUID, Instant> fired = new HashMap<>();

  MutantSagas(
      Database database,
      Invariants invariants,
      Table<UUID, Row> table,
      MemoryPlaces places,
      MemoryChildren children,
      Rule without) {
    super(database, invariants, table, places, children);
    this.without = without;
  }

  /** Rule 7: the saga is about to get a reply to this step. */
  void expect(UUID saga, String step) {
    if (without == Rule.ONLY_FORWARD) {
      replied.put(saga, step);
    }
  }

  @Override
  public List<StoredSaga> loadForUpdate(Connection connection, Set<UUID> ids) throws SQLException {
    return super.loadForUpdate(connection, ids).stream().map(this::shown).toList();
  }

  /** Rule 8: what was awaited for as long as it may be counts as asked once more, in vain. */
  @Override
  public DueSagas due(Connection connection, String definition, Set<Integer> versions, int limit)
      throws SQLException {
    DueSagas due = super.due(connection, definition, versions, limit);
    if (without == Rule.ASKED_ONCE_MORE) {
      due.ids().forEach(id -> fired.put(id, due.now()));
    }
    return due;
  }

  private static StoredSaga asked(StoredSaga saga, Instant now) {
    SagaState state = saga.reached();
    List<StepState> steps =
        state.steps().stream().map(step -> isAwaitOver(step, now) ? asked(step) : step).toList();
    return new StoredSaga(saga.origin(), state.withSteps(steps));
  }

  private static boolean isAwaitOver(SagaState state, Instant now) {
    return state.steps().stream().anyMatch(step -> isAwaitOver(step, now));
  }

  private static boolean isAwaitOver(StepState step, Instant now) {
    Instant dueAt = step.dueAt();
    return step.status() == StepStatus.AWAITING && dueAt != null && !dueAt.isAfter(now);
  }

  private static StepState asked(StepState step) {
    return new StepState(
        step.name(), step.status(), step.action(), step.compensation(), step.dueAt(), step.dueAt());
  }

  private StoredSaga shown(StoredSaga saga) {
    SagaState state = saga.reached();
    Instant firedAt = fired.remove(state.id());
    if (firedAt != null) {
      return asked(saga, firedAt);
    }
    String step = replied.remove(state.id());
    if (step != null && state.step(step).filter(s -> !s.isAwaited()).isPresent()) {
      return new StoredSaga(saga.origin(), shown(state, step, StepStatus.WAITING));
    }
    if (without == Rule.PAST_THE_PIVOT_ONLY_FORWARD && step == null) {
      return new StoredSaga(saga.origin(), beforePivot(state));
    }
    return saga;
  }

  private static SagaState beforePivot(SagaState state) {
    return state.status() == SagaStatus.COMPLETED
        ? shown(state, "confirm-order", StepStatus.PENDING)
        : state;
  }

  private static SagaState shown(SagaState state, String name, StepStatus as) {
    List<StepState> steps =
        state.steps().stream()
            .map(
                step ->
                    step.name().equals(name)
                        ? new StepState(
                            name,
                            as,
                            forgetful(step.action()),
                            forgetful(step.compensation()),
                            step.expiresAt(),
                            step.dueAt())
                        : step)
            .toList();
    return new SagaState(
        state.id(),
        state.definition(),
        state.version(),
        SagaStatus.RUNNING,
        null,
        steps,
        state.startedAt(),
        state.deadlineAt(),
        null,
        state.revision());
  }

  private static RequestState forgetful(RequestState request) {
    return new RequestState(request.attempts(), request.sentAt(), request.repliedAt());
  }

  @Override
  boolean isDue(Row row, Instant now) {
    SagaState state = row.state();
    boolean sentOnce =
        without == Rule.COMPENSATED_UNTIL_DONE
            && (state.status() == SagaStatus.COMPENSATING || state.status() == SagaStatus.STUCK);
    boolean waitsForEver =
        without == Rule.AWAITING_ENDS
            && state.steps().stream().anyMatch(step -> step.status() == StepStatus.AWAITING);
    // What is asked while it waits would get the lost reply before its time is over.
    boolean isAskedMeanwhile =
        without == Rule.ASKED_ONCE_MORE
            && state.steps().stream()
                .map(StepState::askAt)
                .anyMatch(at -> at != null && !at.isAfter(now));
    return !sentOnce
        && !waitsForEver
        && !(isAskedMeanwhile && !isAwaitOver(state, now))
        && super.isDue(row, now);
  }
}
