package io.onceflow.order.imports;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.order.domain.OrderDraft;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The SQL of {@code order_import_line}; every statement takes one line or many. */
final class ImportLineTable {

  private static final String INSERT =
      """
      INSERT INTO order_import_line (import_id, position, draft)
      SELECT ?, place - 1, draft::jsonb
      FROM   unnest(?::text[]) WITH ORDINALITY AS sent (draft, place)
      """;

  private static final String WAITING =
      """
      SELECT   position, draft::text
      FROM     order_import_line
      WHERE    import_id = ?
      AND      order_id IS NULL
      ORDER BY position
      LIMIT    ?
      FOR UPDATE
      """;

  private static final String PLACED =
      """
      UPDATE order_import_line line
      SET    order_id = placed.order_id, draft = NULL
      FROM   unnest(?::int[], ?::uuid[]) AS placed (position, order_id)
      WHERE  line.import_id = ?
      AND    line.position = placed.position
      """;

  private static final String ORDERS =
      """
      SELECT   order_id
      FROM     order_import_line
      WHERE    import_id = ?
      AND      order_id IS NOT NULL
      ORDER BY position
      """;

  private final ObjectMapper json;

  ImportLineTable(ObjectMapper json) {
    this.json = json;
  }

  void insert(Connection connection, UUID importId, List<OrderDraft> drafts) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setObject(1, importId);
      Object[] texts = drafts.stream().map(this::write).toArray();
      insert.setArray(2, connection.createArrayOf("text", texts));
      insert.executeUpdate();
    }
  }

  /** Locks and reads what comes next. */
  List<ImportLine> waiting(Connection connection, UUID importId, int limit) throws SQLException {
    List<ImportLine> lines = new ArrayList<>();
    try (PreparedStatement waiting = connection.prepareStatement(WAITING)) {
      waiting.setObject(1, importId);
      waiting.setInt(2, limit);
      try (ResultSet row = waiting.executeQuery()) {
        while (row.next()) {
          lines.add(new ImportLine(row.getInt("position"), read(row.getString("draft"))));
        }
      }
    }
    return lines;
  }

  /**
   * Notes what was placed, and lets the drafts go.
   *
   * @param orders their ids by position
   */
  void placed(Connection connection, UUID importId, Map<Integer, UUID> orders) throws SQLException {
    try (PreparedStatement placed = connection.prepareStatement(PLACED)) {
      placed.setArray(1, connection.createArrayOf("int", orders.keySet().toArray()));
      placed.setArray(2, connection.createArrayOf("uuid", orders.values().toArray()));
      placed.setObject(3, importId);
      placed.executeUpdate();
    }
  }

  /** What is placed, in the order of the request. */
  List<UUID> orders(Connection connection, UUID importId) throws SQLException {
    List<UUID> ids = new ArrayList<>();
    try (PreparedStatement orders = connection.prepareStatement(ORDERS)) {
      orders.setObject(1, importId);
      try (ResultSet row = orders.executeQuery()) {
        while (row.next()) {
          ids.add(row.getObject(1, UUID.class));
        }
      }
    }
    return ids;
  }

  private String write(OrderDraft draft) {
    try {
      return json.writeValueAsString(draft);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an order's draft cannot be written as JSON", e);
    }
  }

  private OrderDraft read(String text) {
    try {
      return json.readValue(text, OrderDraft.class);
    } catch (JsonProcessingException e) {
      // Not with Jackson's message, which quotes the content: logs are read by others.
      throw new IllegalStateException("order_import_line holds no draft of an order");
    }
  }
}
