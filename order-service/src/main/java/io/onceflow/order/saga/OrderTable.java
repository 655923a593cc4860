package io.onceflow.order.saga;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.order.domain.Address;
import io.onceflow.order.domain.Item;
import io.onceflow.order.domain.Order;
import io.onceflow.order.domain.OrderStatus;
import io.onceflow.order.domain.Payment;
import io.onceflow.order.domain.Shipment;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The SQL of {@code orders} that sagas write with; every statement takes one row or many. */
final class OrderTable {

  private static final String INSERT =
      """
      INSERT INTO orders
             (id, customer, currency, total_amount, items, payment_method, shipping_address,
              created_at)
      SELECT id, customer, currency, total_amount, items::jsonb, payment_method,
             shipping_address::jsonb, created_at
      FROM   unnest(?::uuid[], ?::text[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[],
                    ?::timestamptz[])
             AS new (id, customer, currency, total_amount, items, payment_method,
                     shipping_address, created_at)
      """;

  private static final String LOAD =
      """
      SELECT   id, customer, currency, items::text, payment_method, shipping_address::text,
               status, cancellation_reason, payment_id, payment_status, gateway_reference,
               shipment_id, shipment_status, tracking_number, created_at
      FROM     orders
      WHERE    id = ANY (?::uuid[])
      ORDER BY id                     -- the same order everywhere: two batches cannot deadlock
      FOR UPDATE
      """;

  private static final String UPDATE =
      """
      UPDATE orders o
      SET    status              = new.status,
             cancellation_reason = new.cancellation_reason,
             payment_id          = new.payment_id,
             payment_status      = new.payment_status,
             gateway_reference   = new.gateway_reference,
             shipment_id         = new.shipment_id,
             shipment_status     = new.shipment_status,
             tracking_number     = new.tracking_number
      FROM   unnest(?::uuid[], ?::text[], ?::text[], ?::uuid[], ?::text[], ?::text[], ?::uuid[],
                    ?::text[], ?::text[])
             AS new (id, status, cancellation_reason, payment_id, payment_status,
                     gateway_reference, shipment_id, shipment_status, tracking_number)
      WHERE  o.id = new.id
      """;

  private static final TypeReference<List<Item>> ITEMS = new TypeReference<>() {};

  private final ObjectMapper json;

  OrderTable(ObjectMapper json) {
    this.json = json;
  }

  void insert(Connection connection, Collection<Order> orders) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      Columns columns = new Columns(connection, insert, orders);
      columns.set("uuid", Order::id);
      columns.set("text", Order::customer);
      columns.set("text", Order::currency);
      columns.set("bigint", Order::totalAmount);
      columns.set("text", order -> write(order.items()));
      columns.set("text", Order::paymentMethod);
      columns.set("text", order -> write(order.shippingAddress()));
      columns.set("timestamptz", Order::createdAt);
      insert.executeUpdate();
    }
  }

  /** Locks and reads orders; those that do not exist are left out. */
  List<Order> load(Connection connection, Set<UUID> ids) throws SQLException {
    try (PreparedStatement load = connection.prepareStatement(LOAD)) {
      load.setArray(1, connection.createArrayOf("uuid", ids.toArray()));
      try (ResultSet rows = load.executeQuery()) {
        List<Order> orders = new ArrayList<>();
        while (rows.next()) {
          orders.add(read(rows));
        }
        return orders;
      }
    }
  }

  void update(Connection connection, Collection<Order> orders) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(UPDATE)) {
      Columns columns = new Columns(connection, update, orders);
      columns.set("uuid", Order::id);
      columns.set("text", order -> order.status().name());
      columns.set("text", Order::cancellationReason);
      columns.set("uuid", order -> of(order.payment(), Payment::id));
      columns.set("text", order -> of(order.payment(), payment -> payment.status().name()));
      columns.set("text", order -> of(order.payment(), Payment::gatewayReference));
      columns.set("uuid", order -> of(order.shipment(), Shipment::id));
      columns.set("text", order -> of(order.shipment(), shipment -> shipment.status().name()));
      columns.set("text", order -> of(order.shipment(), Shipment::trackingNumber));
      update.executeUpdate();
    }
  }

  private Order read(ResultSet row) throws SQLException {
    return new Order(
        row.getObject("id", UUID.class),
        row.getString("customer"),
        row.getString("currency"),
        parse(row.getString("items"), json.getTypeFactory().constructType(ITEMS)),
        row.getString("payment_method"),
        parse(row.getString("shipping_address"), json.constructType(Address.class)),
        OrderStatus.valueOf(row.getString("status")),
        row.getString("cancellation_reason"),
        payment(row),
        shipment(row),
        row.getObject("created_at", OffsetDateTime.class).toInstant());
  }

  private static @Nullable Payment payment(ResultSet row) throws SQLException {
    String status = row.getString("payment_status");
    return status == null
        ? null
        : new Payment(
            row.getObject("payment_id", UUID.class),
            Payment.Status.valueOf(status),
            row.getString("gateway_reference"));
  }

  private static @Nullable Shipment shipment(ResultSet row) throws SQLException {
    String status = row.getString("shipment_status");
    return status == null
        ? null
        : new Shipment(
            row.getObject("shipment_id", UUID.class),
            Shipment.Status.valueOf(status),
            row.getString("tracking_number"));
  }

  private String write(Object value) {
    try {
      return json.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(value.getClass() + " cannot be written as JSON", e);
    }
  }

  /** A row that cannot be read is no failure of the database, which would be waited for. */
  private <T> T parse(String text, JavaType type) {
    try {
      return json.readValue(text, type);
    } catch (JsonProcessingException e) {
      // Not with Jackson's message, which quotes the content: logs are read by others.
      throw new IllegalStateException("a row of orders holds no " + type);
    }
  }

  private static <T, R> @Nullable R of(@Nullable T part, Function<T, @Nullable R> column) {
    return Optional.ofNullable(part).map(column).orElse(null);
  }

  /** Sets a statement's array parameters, column by column. */
  private static final class Columns {

    private final Connection connection;
    private final PreparedStatement statement;
    private final Collection<Order> orders;
    private int next = 1;

    private Columns(Connection connection, PreparedStatement statement, Collection<Order> orders) {
      this.connection = connection;
      this.statement = statement;
      this.orders = orders;
    }

    private void set(String type, Function<Order, @Nullable Object> column) throws SQLException {
      Object[] values = orders.stream().map(column).toArray();
      statement.setArray(next++, connection.createArrayOf(type, values));
    }
  }
}
