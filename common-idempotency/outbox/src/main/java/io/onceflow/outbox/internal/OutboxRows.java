package io.onceflow.outbox.internal;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Messages as they are read from rows. A row that cannot be read costs itself alone; it stays until
 * an operator repairs or deletes it.
 */
record OutboxRows(HeadersColumn headers) {

  private static final Logger LOG = Logger.getLogger(OutboxRows.class);

  /** The messages of a query, and the ids of the rows that cannot be read. */
  record Read(List<OutboxMessage> messages, List<UUID> unreadable) {}

  /** A row; its message is null if it cannot be read. */
  private record Claimed(UUID id, @Nullable OutboxMessage message) {}

  /** The rows of a query for all columns of messages. */
  Read read(Connection connection, String sql, Object... parameters) throws SQLException {
    List<Claimed> claimed = Sql.query(connection, sql, this::claimed, parameters);
    return new Read(
        claimed.stream().map(Claimed::message).filter(Objects::nonNull).toList(),
        claimed.stream().filter(row -> row.message() == null).map(Claimed::id).toList());
  }

  /** Logs each row that cannot be read. */
  static void report(List<UUID> unreadable, Duration lookedAtWithin) {
    unreadable.forEach(
        id ->
            LOG.errorf(
                "outbox_message %s is not published: its headers are not a map of strings; repair or"
                    + " delete the row. It is read again within %s",
                id, lookedAtWithin));
  }

  private Claimed claimed(Row row) throws SQLException {
    UUID id = row.uuid("id");
    try {
      Map<String, String> readable = headers.read(row.text("headers"));
      return new Claimed(id, message(id, row, readable));
    } catch (IllegalStateException unreadable) {
      return new Claimed(id, null);
    }
  }

  private static OutboxMessage message(UUID id, Row row, Map<String, String> headers)
      throws SQLException {
    return new OutboxMessage(
        id,
        row.text("aggregatetype"),
        row.text("aggregateid"),
        row.text("type"),
        row.text("payload"),
        row.text("exchange"),
        row.text("routing_key"),
        row.text("correlation_id"),
        row.text("reply_to"),
        headers);
  }
}
