package io.onceflow.saga.internal.runtime;

import static java.util.Objects.requireNonNull;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.SagaView.Hold;
import io.onceflow.saga.internal.engine.Reasons;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.store.ChildStore;
import io.onceflow.saga.internal.store.LockedSaga;
import io.onceflow.saga.internal.store.SagaStore;
import io.onceflow.saga.internal.store.StoredSaga;
import io.onceflow.saga.internal.store.hold.HeldSagas;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a timer that fell due means for a saga: it is undone with the one that started it, started,
 * resumed, told of the end of the saga that it waits for, or due.
 */
final class TimerEvents {

  private TimerEvents() {}

  /**
   * Sagas whose parents are undone are cancelled; those that were not started, or have waited for
   * their place or turn, are started; those whose child has ended are told so; the others are due.
   *
   * @param undone with the parents that have them undone
   */
  static Function<LockedSaga<?>, List<SagaEvent>> of(
      Transaction tx,
      SagaStore store,
      List<? extends LockedSaga<?>> due,
      Map<UUID, UUID> undone,
      Instant now)
      throws SQLException {
    List<UUID> queued =
        due.stream().filter(TimerEvents::isQueued).map(saga -> saga.state().id()).toList();
    Set<UUID> waiting = store.limits().waiting(tx.connection(), queued);
    Map<UUID, ChildStore.End> ended =
        store
            .children()
            .ended(
                tx.connection(),
                due.stream().flatMap(TimerEvents::awaited).map(Awaited::id).toList());
    return saga ->
        undone.containsKey(saga.state().id()) && !saga.state().isTurnedRound()
            ? List.of(cancelled(undone.get(saga.state().id())))
            : events(saga, waiting, ended, now);
  }

  private static SagaEvent cancelled(UUID parent) {
    return new SagaEvent.Cancel(Reasons.COMPENSATED_BY_PARENT, "saga " + parent, null);
  }

  private static List<SagaEvent> events(
      LockedSaga<?> saga, Set<UUID> waiting, Map<UUID, ChildStore.End> ended, Instant now) {
    boolean isStarted =
        isMadeOnly(saga)
            || isQueued(saga)
                && !waiting.contains(saga.state().id())
                && !saga.state().isDeadlinePassed(now);
    if (isStarted) {
      return List.of(new SagaEvent.Started());
    }
    List<SagaEvent> ends =
        awaited(saga)
            .filter(child -> ended.containsKey(child.id()))
            .map(child -> child.ended(ended.get(child.id())))
            .toList();
    return ends.isEmpty() ? List.of(new SagaEvent.Due()) : ends;
  }

  private static boolean isQueued(LockedSaga<?> saga) {
    return saga.state().status() == SagaStatus.QUEUED;
  }

  /** A saga whose end another one waits for. */
  private record Awaited(String step, UUID id) {

    SagaEvent ended(ChildStore.End end) {
      return SagaEvent.Signalled.childEnded(step, id.toString(), end.reason());
    }
  }

  private static Stream<Awaited> awaited(LockedSaga<?> parent) {
    return parent.awaitedChildren().stream()
        .flatMap(wait -> parent.state().step(wait.name()).stream())
        .map(step -> new Awaited(step.name(), UUID.fromString(requireNonNull(step.outcome()))));
  }

  /** Of those on hold, the ones whose hold is over are resumed: they fire at their times. */
  static void resume(Transaction tx, List<StoredSaga> locked, Instant now) throws SQLException {
    List<UUID> over =
        locked.stream().filter(it -> isOver(it.hold(), now)).map(it -> it.reached().id()).toList();
    if (!over.isEmpty()) {
      HeldSagas.resume(tx.connection(), over, "the time of the hold is over");
    }
    locked.removeIf(it -> it.hold() != null);
  }

  /** One that was put on hold since it was found due is not. */
  private static boolean isOver(@Nullable Hold hold, Instant now) {
    return hold != null && !hold.definition() && hold.until() != null && !hold.until().isAfter(now);
  }

  /** One that was made while its definition was on hold is started when it is resumed. */
  private static boolean isMadeOnly(LockedSaga<?> saga) {
    return saga.state().revision() == 0;
  }
}
