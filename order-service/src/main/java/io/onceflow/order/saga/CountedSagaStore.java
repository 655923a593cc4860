package io.onceflow.order.saga;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.saga.HistoryEntry;
import io.onceflow.saga.HistoryEvent;
import io.onceflow.saga.store.DueSagas;
import io.onceflow.saga.store.NewSaga;
import io.onceflow.saga.store.PostgresSagaStore;
import io.onceflow.saga.store.RecordedSaga;
import io.onceflow.saga.store.RootKey;
import io.onceflow.saga.store.SagaChange;
import io.onceflow.saga.store.SagaStore;
import io.onceflow.saga.store.StoredSaga;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps sagas in PostgreSQL, and counts every line that is written into their history. A write that
 * is rolled back and done again counts twice: the history says what happened, the counters how
 * often, for a graph.
 */
@Singleton
@Typed(CountedSagaStore.class)
final class CountedSagaStore implements SagaStore {

  private final SagaStore store;
  private final MeterRegistry registry;
  private final Map<String, Map<HistoryEvent, Counter>> counters = new ConcurrentHashMap<>();

  @Inject
  CountedSagaStore(MeterRegistry registry) {
    this(new PostgresSagaStore(), registry);
  }

  CountedSagaStore(SagaStore store, MeterRegistry registry) {
    this.store = store;
    this.registry = registry;
  }

  @Override
  public void insert(Connection tx, List<NewSaga> sagas) throws SQLException {
    store.insert(tx, sagas);
    sagas.forEach(saga -> count(saga.state().definition(), saga.history()));
  }

  @Override
  public void save(Connection tx, List<SagaChange> changes) throws SQLException {
    store.save(tx, changes);
    changes.forEach(change -> count(change.after().definition(), change.history()));
  }

  private void count(String definition, List<HistoryEntry> history) {
    if (!history.isEmpty()) {
      Map<HistoryEvent, Counter> its = counters.computeIfAbsent(definition, this::register);
      history.forEach(line -> its.get(line.event()).increment());
    }
  }

  /** All of them with the first line of all, so that even a first bad one is seen as a rise. */
  private Map<HistoryEvent, Counter> register(String definition) {
    Map<HistoryEvent, Counter> its = new EnumMap<>(HistoryEvent.class);
    for (HistoryEvent event : HistoryEvent.values()) {
      its.put(
          event,
          Counter.builder("onceflow.sagas.events")
              .description("Lines written into the history of sagas, by what they tell")
              .tag("definition", definition)
              .tag("event", event.word())
              .register(registry));
    }
    return its;
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
  public Optional<RecordedSaga> find(Connection tx, UUID id) throws SQLException {
    return store.find(tx, id);
  }

  @Override
  public Optional<RecordedSaga> findBySubject(Connection tx, String definition, UUID subjectId)
      throws SQLException {
    return store.findBySubject(tx, definition, subjectId);
  }
}
