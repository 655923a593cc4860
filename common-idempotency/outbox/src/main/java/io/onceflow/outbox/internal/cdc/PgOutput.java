package io.onceflow.outbox.internal.cdc;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.HeadersColumn;
import io.onceflow.outbox.internal.cdc.Change.Begun;
import io.onceflow.outbox.internal.cdc.Change.Committed;
import io.onceflow.outbox.internal.cdc.Change.Deleted;
import io.onceflow.outbox.internal.cdc.Change.Heartbeat;
import io.onceflow.outbox.internal.cdc.Change.Inserted;
import io.onceflow.outbox.internal.cdc.Change.Other;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reads PostgreSQL's {@code pgoutput}, version 1 with values in their binary form, of a publication
 * that has {@code outbox_message} alone.
 */
final class PgOutput {

  private static final Logger LOG = Logger.getLogger(PgOutput.class);

  private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");
  private static final int KEY_COLUMN_FLAG = 1;
  private static final int TYPE_AND_MODIFIER = 8;
  private static final int LSN_AND_FLAGS = 9;
  private static final int RELATION_ID = 4;

  private final HeadersColumn headers;
  private List<String> columns = List.of();

  PgOutput(ObjectMapper json) {
    headers = new HeadersColumn(json);
  }

  /** The change that a message of the stream tells. */
  Change read(ByteBuffer message) {
    return switch (message.get()) {
      case 'B' -> new Begun();
      case 'I' -> inserted(message);
      case 'D' -> new Deleted(uuid(row(message), "id"));
      case 'C' -> new Committed(message.position(message.position() + LSN_AND_FLAGS).getLong());
      case 'M' -> heartbeat(message);
      case 'R' -> relation(message);
      default -> new Other();
    };
  }

  /** One that is part of a transaction comes before its commit and is passed by. */
  private static Change heartbeat(ByteBuffer message) {
    boolean isTransactional = message.get() != 0;
    return isTransactional ? new Other() : new Heartbeat(message.getLong());
  }

  private Change relation(ByteBuffer message) {
    message.position(message.position() + RELATION_ID);
    text(message); // the schema
    text(message); // the table
    message.get(); // the replica identity
    int count = message.getShort();
    List<String> names = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      message.position(message.position() + KEY_COLUMN_FLAG);
      names.add(text(message));
      message.position(message.position() + TYPE_AND_MODIFIER);
    }
    columns = names;
    return new Other();
  }

  /**
   * A row that cannot be read is left to the relays that read the table, who tell of it; one that
   * leaves by a channel of Reactive Messaging, to the relay of that channel.
   */
  private Change inserted(ByteBuffer message) {
    Map<String, ByteBuffer> row = row(message);
    try {
      OutboxMessage inserted = message(row);
      return inserted.exchange().equals(OutboxMessage.CHANNELS)
          ? new Other()
          : new Inserted(inserted, time(row, "next_attempt_at"));
    } catch (IllegalStateException unreadable) {
      LOG.debugf("outbox_message %s: %s", uuid(row, "id"), unreadable.getMessage());
      return new Other();
    }
  }

  private OutboxMessage message(Map<String, ByteBuffer> row) {
    return new OutboxMessage(
        uuid(row, "id"),
        required(row, "aggregatetype"),
        required(row, "aggregateid"),
        required(row, "type"),
        required(row, "payload"),
        required(row, "exchange"),
        required(row, "routing_key"),
        value(row, "correlation_id"),
        value(row, "reply_to"),
        headers.read(json(cell(row, "headers"))));
  }

  /** The values that are not null, by column. */
  private Map<String, ByteBuffer> row(ByteBuffer message) {
    message.position(message.position() + RELATION_ID);
    message.get(); // new row, or key of the old one
    int count = message.getShort();
    Map<String, ByteBuffer> row = HashMap.newHashMap(count);
    for (int i = 0; i < count; i++) {
      byte kind = message.get();
      if (kind == 'n') {
        continue;
      }
      if (kind != 'b') {
        throw new IllegalArgumentException("pgoutput sends a column as " + (char) kind);
      }
      int length = message.getInt();
      row.put(columns.get(i), message.slice(message.position(), length));
      message.position(message.position() + length);
    }
    return row;
  }

  private static ByteBuffer cell(Map<String, ByteBuffer> row, String column) {
    ByteBuffer cell = row.get(column);
    if (cell == null) {
      throw new IllegalArgumentException("the log has no value of outbox_message." + column);
    }
    return cell;
  }

  private static String required(Map<String, ByteBuffer> row, String column) {
    return UTF_8.decode(cell(row, column)).toString();
  }

  private static @Nullable String value(Map<String, ByteBuffer> row, String column) {
    return row.containsKey(column) ? required(row, column) : null;
  }

  private static UUID uuid(Map<String, ByteBuffer> row, String column) {
    ByteBuffer cell = cell(row, column);
    return new UUID(cell.getLong(0), cell.getLong(Long.BYTES));
  }

  private static Instant time(Map<String, ByteBuffer> row, String column) {
    return EPOCH.plus(cell(row, column).getLong(0), ChronoUnit.MICROS);
  }

  /** A jsonb begins with its version. */
  private static String json(ByteBuffer cell) {
    return UTF_8.decode(cell.slice(1, cell.remaining() - 1)).toString();
  }

  private static String text(ByteBuffer message) {
    int begin = message.position();
    while (message.get() != 0) {
      // up to the zero that ends it
    }
    return UTF_8.decode(message.slice(begin, message.position() - 1 - begin)).toString();
  }
}
