package io.onceflow.inbox;

import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** Reads what is parked. */
@ApplicationScoped
public class ParkedMessages {

  private static final String NEWEST =
      """
      SELECT   id, queue, message_id, type, reason, detail, parked_at
      FROM     parked_message
      ORDER BY id DESC                -- UUIDv7: the order of time
      LIMIT    ?
      """;

  private final DataSource database;

  ParkedMessages(DataSource database) {
    this.database = database;
  }

  /** The newest first, at most {@code limit}. */
  public List<ParkedMessage> newest(int limit) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(NEWEST)) {
      select.setInt(1, limit);
      try (ResultSet rows = select.executeQuery()) {
        List<ParkedMessage> parked = new ArrayList<>();
        while (rows.next()) {
          parked.add(read(rows));
        }
        return parked;
      }
    }
  }

  private static ParkedMessage read(ResultSet row) throws SQLException {
    return new ParkedMessage(
        row.getObject("id", UUID.class),
        row.getString("queue"),
        row.getString("message_id"),
        row.getString("type"),
        row.getString("reason"),
        row.getString("detail"),
        row.getObject("parked_at", OffsetDateTime.class).toInstant());
  }
}
