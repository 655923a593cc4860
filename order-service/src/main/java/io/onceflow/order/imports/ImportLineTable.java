package io.onceflow.order.imports;

import static io.onceflow.sql.Column.integers;
import static io.onceflow.sql.Column.texts;
import static io.onceflow.sql.Column.uuids;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.order.domain.OrderDraft;
import io.onceflow.sql.Column.JsonColumn;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The SQL of {@code order_import_line}; every statement takes one line or many. */
final class ImportLineTable {

  /**
   * An order that is still to be placed.
   *
   * @param position in the request, from 0
   */
  record Line(int position, OrderDraft draft) {}

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

  private final JsonColumn<OrderDraft> draft;

  ImportLineTable(ObjectMapper json) {
    draft = new JsonColumn<>("order_import_line.draft", json, new TypeReference<>() {});
  }

  void insert(Connection connection, UUID importId, List<OrderDraft> drafts) throws SQLException {
    Sql.update(connection, INSERT, importId, texts(drafts, draft::write));
  }

  /** Locks and reads what comes next. */
  List<Line> waiting(Connection connection, UUID importId, int limit) throws SQLException {
    return Sql.query(
        connection,
        WAITING,
        row -> new Line(row.integer("position"), draft.read(row.text("draft"))),
        importId,
        limit);
  }

  /**
   * Notes what was placed, and lets the drafts go.
   *
   * @param orders their ids by position
   */
  void placed(Connection connection, UUID importId, Map<Integer, UUID> orders) throws SQLException {
    Sql.update(
        connection,
        PLACED,
        integers(orders.entrySet(), Map.Entry::getKey),
        uuids(orders.entrySet(), Map.Entry::getValue),
        importId);
  }

  /** What is placed, in the order of the request. */
  List<UUID> orders(Connection connection, UUID importId) throws SQLException {
    return Sql.query(connection, ORDERS, row -> row.uuid("order_id"), importId);
  }
}
