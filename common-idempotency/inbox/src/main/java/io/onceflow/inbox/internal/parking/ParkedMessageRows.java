package io.onceflow.inbox.internal.parking;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.sql.Column.JsonColumn;
import io.onceflow.sql.Sql.Row;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the rows of {@code parked_message} say. */
final class ParkedMessageRows {

  private final JsonColumn<Map<String, String>> headers;

  ParkedMessageRows(ObjectMapper json) {
    headers = new JsonColumn<>("parked_message.headers", json, new TypeReference<>() {});
  }

  /** As it is listed. */
  static ParkedMessage listed(Row row) throws SQLException {
    return new ParkedMessage(
        row.uuid("id"),
        row.text("queue"),
        row.text("message_id"),
        row.text("type"),
        row.text("correlation_id"),
        row.text("reason"),
        row.text("detail"),
        row.time("parked_at"),
        row.integer("attempts"),
        row.time("next_attempt_at"),
        row.integer("redrives"),
        row.text("edited_by"),
        row.time("edited_at"));
  }

  /** With all that it carries. */
  ParkedMessageDetail inFull(Row row) throws SQLException {
    return new ParkedMessageDetail(
        row.uuid("id"),
        row.text("queue"),
        row.text("message_id"),
        row.text("type"),
        row.text("correlation_id"),
        row.text("reply_to"),
        row.text("reason"),
        row.text("detail"),
        row.time("parked_at"),
        row.integer("attempts"),
        row.time("next_attempt_at"),
        row.integer("redrives"),
        headers.read(row.text("headers")),
        text(row.bytes("payload")),
        text(row.bytes("original_payload")),
        row.text("edited_by"),
        row.time("edited_at"));
  }

  private static @Nullable String text(byte @Nullable [] bytes) {
    return bytes == null ? null : new String(bytes, UTF_8);
  }

  /**
   * As the transport handed it over; it was acknowledged when it was parked. What an operator has
   * made of it is not what the transport found fault with.
   */
  Delivery delivery(Row row) throws SQLException {
    Map<String, String> kept = headers.read(row.text("headers"));
    boolean isAsItCame = row.time("edited_at") == null;
    return new Delivery(
        row.text("queue"),
        row.text("message_id"),
        row.text("type"),
        row.text("correlation_id"),
        row.text("reply_to"),
        kept,
        row.bytes("payload"),
        () -> {},
        isAsItCame ? kept.get(MessageHeaders.FAULT) : null,
        row.text("routing_key"));
  }
}
