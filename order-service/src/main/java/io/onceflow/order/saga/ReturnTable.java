package io.onceflow.order.saga;

import io.onceflow.order.domain.OrderReturn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The SQL of {@code order_return}. */
final class ReturnTable {

  private static final String INSERT =
      """
      INSERT INTO order_return (id, order_id, requested_at)
      VALUES (?, ?, ?)
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

  static void insert(Connection connection, OrderReturn wish) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setObject(1, wish.id());
      insert.setObject(2, wish.orderId());
      insert.setObject(3, wish.requestedAt().atOffset(ZoneOffset.UTC));
      insert.executeUpdate();
    }
  }

  /** Locks and reads returns; those that do not exist are left out. */
  static List<OrderReturn> load(Connection connection, Set<UUID> ids) throws SQLException {
    try (PreparedStatement load = connection.prepareStatement(LOAD)) {
      load.setArray(1, connection.createArrayOf("uuid", ids.toArray()));
      return read(load);
    }
  }

  /** The last return that was asked for of an order; empty if none was. */
  static Optional<OrderReturn> latest(Connection connection, UUID orderId) throws SQLException {
    try (PreparedStatement latest = connection.prepareStatement(LATEST)) {
      latest.setObject(1, orderId);
      return read(latest).stream().findFirst();
    }
  }

  static void update(Connection connection, Collection<OrderReturn> wishes) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(UPDATE)) {
      set(update, 1, "uuid", wishes, OrderReturn::id);
      set(update, 2, "text", wishes, wish -> wish.status().name());
      set(update, 3, "text", wishes, OrderReturn::rejectionReason);
      set(update, 4, "text", wishes, OrderReturn::trackingNumber);
      set(update, 5, "bigint", wishes, OrderReturn::refundedAmount);
      update.executeUpdate();
    }
  }

  private static void set(
      PreparedStatement statement,
      int parameter,
      String type,
      Collection<OrderReturn> wishes,
      Function<OrderReturn, @Nullable Object> column)
      throws SQLException {
    Object[] values = wishes.stream().map(column).toArray();
    statement.setArray(parameter, statement.getConnection().createArrayOf(type, values));
  }

  private static List<OrderReturn> read(PreparedStatement query) throws SQLException {
    try (ResultSet rows = query.executeQuery()) {
      List<OrderReturn> found = new ArrayList<>();
      while (rows.next()) {
        found.add(
            new OrderReturn(
                rows.getObject("id", UUID.class),
                rows.getObject("order_id", UUID.class),
                OrderReturn.Status.valueOf(rows.getString("status")),
                rows.getString("rejection_reason"),
                rows.getString("tracking_number"),
                rows.getObject("refunded_amount", Long.class),
                rows.getObject("requested_at", OffsetDateTime.class).toInstant()));
      }
      return found;
    }
  }
}
