package io.onceflow.order.saga;

import static io.onceflow.sql.Column.bigints;
import static io.onceflow.sql.Column.names;
import static io.onceflow.sql.Column.texts;
import static io.onceflow.sql.Column.times;
import static io.onceflow.sql.Column.uuids;

import io.onceflow.order.domain.OrderReturn;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The SQL of {@code order_return}. */
final class ReturnTable {

  private static final String INSERT =
      """
      INSERT INTO order_return (id, order_id, requested_at)
      SELECT id, order_id, requested_at
      FROM   unnest(?::uuid[], ?::uuid[], ?::timestamptz[]) AS new (id, order_id, requested_at)
      """;

  private static final String LOAD =
      """
      SELECT   id, order_id, status, rejection_reason, tracking_number, refunded_amount,
               requested_at
      FROM     order_return
      WHERE    id = ANY (?::uuid[])
      ORDER BY id                     -- the same order everywhere: two batches cannot deadlock
      FOR UPDATE
      """;

  private static final String LATEST =
      """
      SELECT   id, order_id, status, rejection_reason, tracking_number, refunded_amount,
               requested_at
      FROM     order_return
      WHERE    order_id = ?
      ORDER BY id DESC
      LIMIT    1
      """;

  private static final String UPDATE =
      """
      UPDATE order_return r
      SET    status           = new.status,
             rejection_reason = new.rejection_reason,
             tracking_number  = new.tracking_number,
             refunded_amount  = new.refunded_amount
      FROM   unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::bigint[])
             AS new (id, status, rejection_reason, tracking_number, refunded_amount)
      WHERE  r.id = new.id
      """;

  private ReturnTable() {}

  static void insert(Connection connection, Collection<OrderReturn> wishes) throws SQLException {
    Sql.update(
        connection,
        INSERT,
        uuids(wishes, OrderReturn::id),
        uuids(wishes, OrderReturn::orderId),
        times(wishes, OrderReturn::requestedAt));
  }

  /** Locks and reads returns; those that do not exist are left out. */
  static List<OrderReturn> load(Connection connection, Set<UUID> ids) throws SQLException {
    return Sql.query(connection, LOAD, ReturnTable::read, uuids(ids));
  }

  /** The last return that was asked for of an order; empty if none was. */
  static Optional<OrderReturn> latest(Connection connection, UUID orderId) throws SQLException {
    return Sql.find(connection, LATEST, ReturnTable::read, orderId);
  }

  static void update(Connection connection, Collection<OrderReturn> wishes) throws SQLException {
    Sql.update(
        connection,
        UPDATE,
        uuids(wishes, OrderReturn::id),
        names(wishes, OrderReturn::status),
        texts(wishes, OrderReturn::rejectionReason),
        texts(wishes, OrderReturn::trackingNumber),
        bigints(wishes, OrderReturn::refundedAmount));
  }

  private static OrderReturn read(Row row) throws SQLException {
    return new OrderReturn(
        row.uuid("id"),
        row.uuid("order_id"),
        row.constant("status", OrderReturn.Status.class),
        row.text("rejection_reason"),
        row.text("tracking_number"),
        row.bigint("refunded_amount"),
        row.time("requested_at"));
  }
}
