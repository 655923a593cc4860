package io.onceflow.simulation.world;

import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.participant.ParticipantRepository;
import io.onceflow.simulation.database.SimulatedTransaction;
import io.onceflow.simulation.database.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Payments or shipments in memory, one for each order; behaves like the services' tables.
 *
 * @param <S> the business row
 */
final class MemoryParticipantRepository<S> implements ParticipantRepository<S> {

  private final Table<UUID, S> table = new Table<>();
  private final Function<S, UUID> orderOf;
  private final Function<S, UUID> idOf;
  private final WrittenBy<S> writtenBy;

  /** As {@link ParticipantRepository#wasWrittenBy}. */
  @FunctionalInterface
  interface WrittenBy<S> {
    boolean test(S row, String scope, StepKey step);
  }

  MemoryParticipantRepository(
      Function<S, UUID> orderOf, Function<S, UUID> idOf, WrittenBy<S> writtenBy) {
    this.orderOf = orderOf;
    this.idOf = idOf;
    this.writtenBy = writtenBy;
  }

  @Override
  public boolean wasWrittenBy(S row, String scope, StepKey step) {
    return writtenBy.test(row, scope, step);
  }

  @Override
  public Map<UUID, List<S>> load(Connection connection, Set<UUID> subjects) throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "load business rows");
    Map<UUID, List<S>> loaded = new LinkedHashMap<>();
    for (UUID order : new TreeSet<>(subjects)) {
      S row = table.get(tx, order);
      if (row != null) {
        loaded.put(order, List.of(row));
      }
    }
    return loaded;
  }

  @Override
  public void save(Connection connection, Collection<S> rows) throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "save business rows");
    for (S row : rows) {
      UUID order = orderOf.apply(row);
      table.lock(tx, order);
      S before = table.get(tx, order);
      if (before != null && !idOf.apply(before).equals(idOf.apply(row))) {
        throw new IllegalStateException("order " + order + " has another row already");
      }
      table.put(tx, order, row);
    }
  }

  /** An order's row, as committed; null when there is none. */
  @Nullable S of(UUID order) {
    return table.row(order);
  }
}
