package io.onceflow.simulation.world;

import io.onceflow.simulation.Rule;
import io.onceflow.simulation.database.Database;
import io.onceflow.simulation.database.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** Breaks one of the rules of limits. */
final class MutantPlaces extends MemoryPlaces {

  private final Rule without;

  MutantPlaces(Database database, Table<UUID, MemorySagas.Row> sagas, Rule without) {
    super(database, sagas);
    this.without = without;
  }

  @Override
  public void lock(Connection tx, Iterable<Place> places) throws SQLException {
    if (without != Rule.PLACES_ARE_COUNTED_IN_TURN) {
      super.lock(tx, places);
    }
  }

  @Override
  public List<Entrant> promote(Connection tx, Place place, int most) throws SQLException {
    return without == Rule.A_PLACE_IS_GIVEN_ON ? List.of() : super.promote(tx, place, most);
  }

  @Override
  public List<Place> releaseEndedInQueue(Connection tx, String definition) throws SQLException {
    return without == Rule.A_PLACE_IS_LEFT_IN_THE_QUEUE
        ? List.of()
        : super.releaseEndedInQueue(tx, definition);
  }
}
