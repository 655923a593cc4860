package io.onceflow.test.races;

import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.participant.ParticipantRepository;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The kit's own business: a coin that somebody has put in, or got back.
 *
 * @param status {@code IN} or {@code BACK}
 */
record Coin(UUID subject, String status) {

  boolean isIn() {
    return status.equals("IN");
  }

  /** Coins in the table {@code charge}. */
  static final class Table implements ParticipantRepository<Coin> {

    @Override
    public Map<UUID, List<Coin>> load(Connection connection, Set<UUID> subjects)
        throws SQLException {
      Map<UUID, List<Coin>> found = new HashMap<>();
      String sql = "SELECT subject, status FROM charge WHERE subject = ANY (?)";
      try (PreparedStatement select = connection.prepareStatement(sql)) {
        select.setArray(1, connection.createArrayOf("uuid", subjects.toArray()));
        try (ResultSet row = select.executeQuery()) {
          while (row.next()) {
            UUID subject = row.getObject(1, UUID.class);
            found.put(subject, List.of(new Coin(subject, row.getString(2))));
          }
        }
      }
      return found;
    }

    @Override
    public void save(Connection connection, Collection<Coin> coins) throws SQLException {
      String sql =
          """
          INSERT INTO charge (subject, amount, status, reference) VALUES (?, 1, ?, '')
          ON CONFLICT (subject) DO UPDATE SET status = excluded.status
          """;
      try (PreparedStatement upsert = connection.prepareStatement(sql)) {
        for (Coin coin : coins) {
          upsert.setObject(1, coin.subject());
          upsert.setString(2, coin.status());
          upsert.addBatch();
        }
        upsert.executeBatch();
      }
    }

    @Override
    public boolean wasWrittenBy(Coin row, String scope, StepKey step) {
      return true;
    }
  }
}
