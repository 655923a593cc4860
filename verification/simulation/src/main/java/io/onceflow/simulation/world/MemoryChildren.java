package io.onceflow.simulation.world;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.store.ChildStore;
import io.onceflow.simulation.database.Database;
import io.onceflow.simulation.database.SimulatedTransaction;
import io.onceflow.simulation.database.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Sagas that other sagas started, in memory; behaves like the SQL of production. */
class MemoryChildren implements ChildStore {

  private final Database database;
  private final Table<UUID, MemorySagas.Row> sagas;
  private final Table<UUID, UUID> parents = new Table<>();

  MemoryChildren(Database database, Table<UUID, MemorySagas.Row> sagas) {
    this.database = database;
    this.sagas = sagas;
  }

  @Override
  public void insert(Connection connection, Collection<Child> started) throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "insert children");
    for (Child child : started) {
      parents.put(tx, child.id(), child.parent());
    }
  }

  @Override
  public void wakeParents(Connection connection, Collection<UUID> ended) throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    for (UUID child : ended) {
      tx.statement(() -> "wake a parent");
      UUID parent = parents.get(tx, child);
      if (parent != null && sagas.tryLock(tx, parent)) {
        MemorySagas.Row row = Objects.requireNonNull(sagas.get(tx, parent));
        if (row.timer() != null) {
          wake(tx, row, row.state());
        }
      }
    }
  }

  private void wake(SimulatedTransaction tx, MemorySagas.Row row, SagaState state)
      throws SQLException {
    sagas.put(
        tx, row.id(), new MemorySagas.Row(row.origin(), state, row.history(), database.now()));
  }

  @Override
  public void undo(Connection connection, Collection<UUID> children) throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    for (UUID child : children) {
      tx.statement(() -> "have a child undone");
      if (sagas.tryLock(tx, child)) {
        MemorySagas.Row row = Objects.requireNonNull(sagas.get(tx, child));
        switch (row.state().status()) {
          case QUEUED, RUNNING -> wake(tx, row, row.state());
          case COMPLETED -> wake(tx, row, opened(row.state()));
          case COMPENSATING, STUCK, COMPENSATED -> {}
        }
      }
    }
  }

  private static SagaState opened(SagaState state) {
    return new SagaState(
        state.id(),
        state.definition(),
        state.version(),
        SagaStatus.RUNNING,
        state.reason(),
        state.steps(),
        state.startedAt(),
        state.deadlineAt(),
        null,
        state.revision());
  }

  @Override
  public Map<UUID, UUID> undone(Connection connection, Collection<UUID> children)
      throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    Map<UUID, UUID> undone = new HashMap<>();
    for (UUID child : children) {
      tx.statement(() -> "look whether a child is to be undone");
      UUID parent = parents.get(tx, child);
      if (parent != null && hasUndone(sagas.get(tx, parent), child)) {
        undone.put(child, parent);
      }
    }
    return undone;
  }

  private static boolean hasUndone(MemorySagas.@Nullable Row parent, UUID child) {
    return parent != null
        && parent.state().reason() != null
        && parent.state().steps().stream()
            .filter(step -> step.status() == StepStatus.COMPENSATING)
            .anyMatch(step -> child.toString().equals(step.outcome()));
  }

  @Override
  public Map<UUID, End> ended(Connection connection, Collection<UUID> children)
      throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    Map<UUID, End> ended = new HashMap<>();
    for (UUID child : children) {
      tx.statement(() -> "look whether a child has ended");
      MemorySagas.Row row = sagas.get(tx, child);
      if (row != null && row.state().endedAt() != null) {
        ended.put(child, new End(row.state().reason()));
      }
    }
    return ended;
  }

  /** Who started a saga, as committed; null where none did. */
  @Nullable UUID parentOf(UUID saga) {
    return parents.row(saga);
  }
}
