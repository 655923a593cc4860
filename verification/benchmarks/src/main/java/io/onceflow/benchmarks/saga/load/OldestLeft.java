package io.onceflow.benchmarks.saga.load;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Asks whether rows of a run are left to be worked off, from the one that was the oldest when it
 * asked last. All that was worked off before it is not read again: while another transaction keeps
 * its snapshot, that is every version of every row of the run.
 */
final class OldestLeft {

  private final Connection database;
  private final String query;
  private final UUID since;
  private UUID from;

  /**
   * @param rows a FROM and a WHERE of the rows that are left
   * @param since the first id of the run
   */
  OldestLeft(Connection database, String rows, UUID since) {
    this.database = database;
    this.query = "SELECT id FROM %s AND id >= ? ORDER BY id LIMIT 1".formatted(rows);
    this.since = since;
    this.from = since;
  }

  /** True if there is one; one that was written late, below the oldest, counts as well. */
  boolean isThere() throws SQLException {
    UUID oldest = oldest(from);
    if (oldest == null && !from.equals(since)) {
      oldest = oldest(since);
    }
    from = oldest == null ? since : oldest;
    return oldest != null;
  }

  private @Nullable UUID oldest(UUID begin) throws SQLException {
    try (PreparedStatement look = database.prepareStatement(query)) {
      look.setObject(1, begin);
      try (ResultSet row = look.executeQuery()) {
        return row.next() ? row.getObject(1, UUID.class) : null;
      }
    }
  }
}
