package io.onceflow.saga.internal.runtime;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.saga.internal.store.DueSagas;
import io.onceflow.saga.internal.store.NewSaga;
import io.onceflow.saga.internal.store.PostgresSagaStore;
import io.onceflow.saga.internal.store.RootKey;
import io.onceflow.saga.internal.store.SagaChange;
import io.onceflow.saga.internal.store.SagaStore;
import io.onceflow.saga.internal.store.StoredSaga;
import io.onceflow.saga.internal.store.view.SagaWithHistory;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Stores sagas in PostgreSQL, and reports every write to {@link SagaMeters} and {@link SagaSpans}.
 */
@Singleton
@Typed(CountedSagaStore.class)
public final class CountedSagaStore implements SagaStore {

  private final SagaStore store;
  private final SagaMeters meters;

  @Inject
  CountedSagaStore(MeterRegistry registry) {
    this(new PostgresSagaStore(), registry);
  }

  CountedSagaStore(SagaStore store, MeterRegistry registry) {
    this.store = store;
    this.meters = new SagaMeters(registry);
  }

  @Override
  public void insert(Connection tx, List<NewSaga> sagas) throws SQLException {
    store.insert(tx, sagas);
    for (NewSaga saga : sagas) {
      meters.started(saga.state(), saga.history());
      SagaSpans.transition(saga.state(), saga.history(), saga.origin());
    }
  }

  @Override
  public void save(Connection tx, List<SagaChange> changes) throws SQLException {
    store.save(tx, changes);
    for (SagaChange change : changes) {
      meters.changed(change.before(), change.after(), change.history());
      SagaSpans.transition(change.after(), change.history(), change.origin());
    }
  }

  @Override
  public Set<RootKey> usedRootKeys(Connection tx, Collection<RootKey> keys) throws SQLException {
    return store.usedRootKeys(tx, keys);
  }

  @Override
  public List<StoredSaga> loadForUpdate(Connection tx, Set<UUID> ids) throws SQLException {
    return store.loadForUpdate(tx, ids);
  }

  @Override
  public DueSagas due(Connection tx, String definition, Set<Integer> versions, int limit)
      throws SQLException {
    return store.due(tx, definition, versions, limit);
  }

  @Override
  public Optional<SagaWithHistory> find(Connection tx, UUID id) throws SQLException {
    return store.find(tx, id);
  }

  @Override
  public Optional<SagaWithHistory> findBySubject(Connection tx, String definition, UUID subjectId)
      throws SQLException {
    return store.findBySubject(tx, definition, subjectId);
  }
}
