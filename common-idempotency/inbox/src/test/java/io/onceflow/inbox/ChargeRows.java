package io.onceflow.inbox;

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

/** The table {@code charge}: one for a subject, whichever step asked for it. */
public final class ChargeRows implements ParticipantRepository<Charge> {

  @Override
  public Map<UUID, List<Charge>> load(Connection connection, Set<UUID> subjects)
      throws SQLException {
    String sql = "SELECT subject, amount, status, reference FROM charge WHERE subject = ANY (?)";
    Map<UUID, List<Charge>> found = new HashMap<>();
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      select.setArray(1, connection.createArrayOf("uuid", subjects.toArray()));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          UUID subject = row.getObject(1, UUID.class);
          Charge.Status status = Charge.Status.valueOf(row.getString(3));
          found.put(
              subject, List.of(new Charge(subject, row.getLong(2), status, row.getString(4))));
        }
      }
    }
    return found;
  }

  @Override
  public void save(Connection connection, Collection<Charge> rows) throws SQLException {
    String sql =
        """
        INSERT INTO charge (subject, amount, status, reference) VALUES (?, ?, ?, ?)
        ON CONFLICT (subject) DO UPDATE SET status = excluded.status
        """;
    try (PreparedStatement upsert = connection.prepareStatement(sql)) {
      for (Charge row : rows) {
        upsert.setObject(1, row.subject());
        upsert.setLong(2, row.amount());
        upsert.setString(3, row.status().name());
        upsert.setString(4, row.reference());
        upsert.addBatch();
      }
      upsert.executeBatch();
    }
  }

  @Override
  public boolean wasWrittenBy(Charge row, String scope, StepKey step) {
    return true;
  }
}
