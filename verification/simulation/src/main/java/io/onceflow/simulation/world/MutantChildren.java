package io.onceflow.simulation.world;

import io.onceflow.simulation.Rule;
import io.onceflow.simulation.database.Database;
import io.onceflow.simulation.database.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;

/** Breaks the rule of children. */
final class MutantChildren extends MemoryChildren {

  private final Rule without;

  MutantChildren(Database database, Table<UUID, MemorySagas.Row> sagas, Rule without) {
    super(database, sagas);
    this.without = without;
  }

  @Override
  public void undo(Connection tx, Collection<UUID> children) throws SQLException {
    if (without != Rule.A_CHILD_IS_UNDONE_AS_WELL) {
      super.undo(tx, children);
    }
  }

  @Override
  public Map<UUID, UUID> undone(Connection tx, Collection<UUID> children) throws SQLException {
    return without == Rule.A_CHILD_IS_UNDONE_AS_WELL ? Map.of() : super.undone(tx, children);
  }
}
