package io.onceflow.simulation.world;

import io.onceflow.core.internal.StepKey;
import io.onceflow.order.saga.SimulatedOrders;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.store.DueSagas;
import io.onceflow.saga.internal.store.JournaledCommand;
import io.onceflow.saga.internal.store.LimitStore;
import io.onceflow.saga.internal.store.LockedSaga;
import io.onceflow.saga.internal.store.RootKey;
import io.onceflow.saga.internal.store.SagaOrigin;
import io.onceflow.saga.internal.store.SagaStore;
import io.onceflow.saga.internal.store.StoredSaga;
import io.onceflow.saga.internal.store.view.SagaWithHistory;
import io.onceflow.simulation.database.Database;
import io.onceflow.simulation.database.SimulatedTransaction;
import io.onceflow.simulation.database.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sagas in memory; behaves like the SQL of the PostgreSQL store. */
class MemorySagas implements SagaStore {

  /** By how much a timer may fire after something is due. */
  private static final Duration LATEST = Duration.ofMinutes(1);

  private final Database database;
  private final Invariants invariants;
  private final Table<UUID, Row> table;
  private final MemoryPlaces places;
  private final MemoryChildren children;
  private final Table<Subject, UUID> bySubject = new Table<>();

  /** A saga of a definition is the only one about its subject. */
  private record Subject(String definition, UUID id) {}

  /**
   * A saga with its steps and its history.
   *
   * @param timer when it fires, which may be before something is due; null once it has ended
   */
  record Row(
      SagaOrigin origin, SagaState state, List<HistoryEntry> history, @Nullable Instant timer) {

    StoredSaga stored() {
      return new StoredSaga(
          origin,
          state.withSteps(
              state.steps().stream()
                  .filter(it -> it.status() != StepStatus.PENDING || it.action().reply() != null)
                  .toList()));
    }

    UUID id() {
      return state.id();
    }

    /** Whether it counts where it is limited how many run. */
    boolean runs() {
      return state.status() != SagaStatus.QUEUED && !state.status().isEnd();
    }
  }

  MemorySagas(
      Database database,
      Invariants invariants,
      Table<UUID, Row> table,
      MemoryPlaces places,
      MemoryChildren children) {
    this.database = database;
    this.invariants = invariants;
    this.table = table;
    this.places = places;
    this.children = children;
  }

  @Override
  public void insert(Connection connection, Collection<? extends LockedSaga<?>> sagas)
      throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "insert sagas");
    for (LockedSaga<?> saga : sagas) {
      Row row =
          new Row(
              saga.origin(),
              saga.state(),
              List.copyOf(saga.history()),
              saga.state().nextActionAt());
      Subject subject = new Subject(row.state().definition(), saga.origin().subjectId());
      if (!bySubject.putIfAbsent(tx, subject, row.id()) || !table.putIfAbsent(tx, row.id(), row)) {
        throw new SQLIntegrityConstraintViolationException("there is one already", "23505");
      }
    }
    tx.afterCommit(() -> invariants.running(table.rows()));
  }

  @Override
  public Set<RootKey> usedRootKeys(Connection connection, Collection<RootKey> keys)
      throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "look for a root key");
    return table.all(tx).stream()
        .map(row -> new RootKey(row.origin().scope(), row.origin().rootKey()))
        .filter(keys::contains)
        .collect(Collectors.toSet());
  }

  @Override
  public List<StoredSaga> loadForUpdate(Connection connection, Set<UUID> ids) throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "load sagas");
    List<StoredSaga> loaded = new ArrayList<>();
    for (UUID id : new TreeSet<>(ids)) {
      table.lock(tx, id);
      Row row = table.get(tx, id);
      if (row != null) {
        loaded.add(row.stored());
      }
    }
    return loaded;
  }

  @Override
  public DueSagas due(Connection connection, String definition, Set<Integer> versions, int limit)
      throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "look for due sagas");
    Instant now = database.now();
    Set<UUID> due =
        table.all(tx).stream()
            .filter(row -> row.state().definition().equals(definition))
            .filter(row -> isDue(row, now))
            .sorted(Comparator.comparing(row -> Objects.requireNonNull(row.timer())))
            .filter(row -> table.tryLock(tx, row.id()))
            .limit(limit)
            .map(Row::id)
            .collect(Collectors.toSet());
    return new DueSagas(now, due);
  }

  boolean isDue(Row row, Instant now) {
    Instant at = row.timer();
    return at != null && !at.isAfter(now);
  }

  /**
   * A timer is not put off before it fires, nor put forward for less than a fifth of the wait, or a
   * minute.
   */
  private static @Nullable Instant timer(Row before, LockedSaga<?> saga, Instant now) {
    Instant was = before.timer();
    Instant next = saga.state().nextActionAt();
    return was != null && next != null && was.isAfter(now) && !was.isAfter(latest(next, now))
        ? was
        : next;
  }

  private static Instant latest(Instant next, Instant now) {
    Duration fifth = Duration.between(now, next).dividedBy(5);
    return next.plus(fifth.compareTo(LATEST) < 0 ? fifth : LATEST);
  }

  @Override
  public void postpone(Connection connection, List<SagaState> early) throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    if (early.isEmpty()) {
      return;
    }
    tx.statement(() -> "postpone sagas " + early.size());
    for (SagaState state : early) {
      Row row = Objects.requireNonNull(table.get(tx, state.id()));
      table.put(
          tx,
          state.id(),
          new Row(row.origin(), row.state(), row.history(), row.state().nextActionAt()));
    }
  }

  /** None is kept: what is resent is rendered again, by the same code. */
  @Override
  public Map<JournaledCommand, String> rendered(
      Connection connection, Collection<JournaledCommand> commands) {
    return Map.of();
  }

  @Override
  public void save(Connection connection, Collection<? extends LockedSaga<?>> sagas)
      throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    List<? extends LockedSaga<?>> changed = sagas.stream().filter(LockedSaga::isChanged).toList();
    if (changed.isEmpty()) {
      return;
    }
    tx.statement(() -> "save sagas " + changed.stream().map(it -> told(it.state())).toList());
    for (LockedSaga<?> saga : changed) {
      SagaState after = saga.state();
      table.lock(tx, after.id());
      Row before = Objects.requireNonNull(table.get(tx, after.id()));
      if (before.state().revision() != saga.loaded().revision()) {
        throw new SQLException("saga " + after.id() + " was moved by another transaction", "40001");
      }
      List<HistoryEntry> history = new ArrayList<>(before.history());
      history.addAll(saga.history());
      tx.afterCommit(() -> invariants.moved(before.origin(), before.state(), after));
      places.check(tx, before.state(), after, invariants);
      Instant timer = timer(before, saga, database.now());
      table.put(tx, after.id(), new Row(before.origin(), after, history, timer));
    }
    tx.afterCommit(() -> invariants.running(table.rows()));
  }

  @Override
  public LimitStore limits() {
    return places;
  }

  @Override
  public MemoryChildren children() {
    return children;
  }

  private static String told(SagaState state) {
    return state.status()
        + " "
        + state.steps().stream()
            .filter(step -> step.status() != StepStatus.PENDING)
            .map(step -> step.name() + "=" + step.status())
            .toList();
  }

  @Override
  public Optional<SagaWithHistory> find(Connection connection, UUID id) throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "find a saga");
    return Optional.ofNullable(table.get(tx, id))
        .map(row -> new SagaWithHistory(row.stored(), null, row.history(), null));
  }

  @Override
  public Optional<UUID> findBySubject(Connection connection, String definition, UUID subjectId)
      throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "find a saga");
    return Optional.ofNullable(bySubject.get(tx, new Subject(definition, subjectId)));
  }

  /** When the first saga of a definition is due; null when none is. */
  @Nullable Instant firstDue(String definition) {
    Instant first = null;
    for (Row row : table.rows()) {
      Instant at = row.state().definition().equals(definition) ? row.timer() : null;
      if (at != null && (first == null || at.isBefore(first)) && isDue(row, at)) {
        first = at;
      }
    }
    return first;
  }

  /** All sagas, as committed. */
  Collection<Row> rows() {
    return table.rows();
  }

  /** Until when a step is wanted, as committed; null for ever. */
  @Nullable Instant expiryOf(String scope, StepKey key) {
    return table.rows().stream()
        .filter(row -> row.origin().scope().equals(scope))
        .filter(row -> row.origin().rootKey().equals(key.root().value()))
        .flatMap(row -> row.state().step(key.step()).stream())
        .map(StepState::expiresAt)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /** The saga about an order, as committed; not one that it has started. */
  @Nullable Row about(UUID order) {
    UUID id = bySubject.row(new Subject(SimulatedOrders.definition(), order));
    return id == null ? null : table.row(id);
  }
}
