package io.onceflow.saga.internal.store.view;

import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaExecution;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.store.SagaStore;
import io.onceflow.saga.internal.store.StoredSaga;
import io.onceflow.saga.internal.store.version.Versions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** Reads the sagas of one definition. Locks nothing and changes nothing. */
public final class SagaReads<D> {

  private final Versions<D> versions;
  private final SagaStore store;

  public SagaReads(Versions<D> versions, SagaStore store) {
    this.versions = versions;
    this.store = store;
  }

  /** A saga with its history, for display; empty if none of this definition has this id. */
  public Optional<SagaView> view(Connection tx, UUID sagaId) throws SQLException {
    return store
        .find(tx, sagaId)
        .filter(found -> found.saga().reached().definition().equals(versions.definition()))
        .map(this::view);
  }

  /** As {@link #view(Connection, UUID)}, by what the saga is about. */
  public Optional<SagaView> viewBySubject(Connection tx, UUID subjectId) throws SQLException {
    Optional<UUID> id = store.findBySubject(tx, versions.definition(), subjectId);
    return id.isEmpty() ? Optional.empty() : view(tx, id.get());
  }

  /** A saga whose steps do not fit its definition is shown as it was stored. */
  public SagaView view(SagaWithHistory saga) {
    StoredSaga stored = saga.saga();
    return SagaViews.of(saga, versions.fit(stored) ? versions.followedBy(stored.reached()) : null);
  }

  /** What an operator's request would be answered by a saga as it was read. */
  public OperatorAnswer foresee(StoredSaga saga, SagaEvent.Request request) {
    SagaDefinition<D> definition = versions.followedBy(saga.reached());
    if (saga.hold() != null) {
      return Holding.refused(saga, saga.hold());
    }
    if (!versions.fit(saga)) {
      return new OperatorAnswer.Refused(
          saga.reached(),
          "it has reached steps that %s does not have; when steps change, give the definition a new version and keep the old one beside it"
              .formatted(definition));
    }
    SagaState state = versions.inFull(saga);
    return SagaExecution.objection(definition, state, request)
        .<OperatorAnswer>map(why -> new OperatorAnswer.Refused(state, why))
        .orElseGet(() -> new OperatorAnswer.Done(state));
  }
}
