package io.onceflow.outbox.internal;

import io.onceflow.internal.queue.LowWaterMark;
import io.onceflow.internal.retention.TimeOrderedId;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/**
 * Finds the oldest message, due or not. Ids are UUIDv7 of the clock of the process that writes, so
 * they are compared with times: what is being written is younger than {@link LowWaterMark#PRESENT}.
 */
final class OldestMessage {

  private static final String OLDEST =
      """
      SELECT coalesce((SELECT   id
                       FROM     outbox_message
                       WHERE    id >= ?
                       AND      id < present.id
                       ORDER BY id
                       LIMIT    1), present.id) AS id
      FROM   (SELECT %s AS id
              OFFSET 0) AS present          -- once, not with each comparison
      """
          .formatted(TimeOrderedId.lowest(LowWaterMark.PRESENT));

  private OldestMessage() {}

  /**
   * All messages are younger than the one of this id, or are older than the mark.
   *
   * @param mark may be the id of a message
   */
  static UUID from(Connection connection, UUID mark) throws SQLException {
    return before(Sql.query(connection, OLDEST, row -> row.uuid("id"), mark).getFirst());
  }

  /** The greatest id below this one, as PostgreSQL compares them; none is below the lowest. */
  private static UUID before(UUID id) {
    if (id.equals(OutboxStore.START)) {
      return id;
    }
    long high = id.getMostSignificantBits();
    long low = id.getLeastSignificantBits();
    return new UUID(low == 0 ? high - 1 : high, low - 1);
  }
}
