package io.onceflow.saga.internal.runtime;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.SagaView.Hold;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.store.LockedSaga;
import io.onceflow.saga.internal.store.SagaPlaces;
import io.onceflow.saga.internal.store.StoredSaga;
import io.onceflow.saga.internal.store.hold.HeldSagas;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a timer that fell due means for a saga: it is started, resumed, or due. */
final class TimerEvents {

  private TimerEvents() {}

  /** Sagas that were not started, or have a place by now, are started; the others are due. */
  static Function<LockedSaga<?>, SagaEvent> of(Transaction tx, List<? extends LockedSaga<?>> due)
      throws SQLException {
    Set<UUID> admitted =
        SagaPlaces.admitted(
            tx.connection(),
            due.stream().filter(saga -> saga.state().status() == SagaStatus.QUEUED).toList());
    return saga ->
        isMadeOnly(saga) || admitted.contains(saga.state().id())
            ? new SagaEvent.Started()
            : new SagaEvent.Due();
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
