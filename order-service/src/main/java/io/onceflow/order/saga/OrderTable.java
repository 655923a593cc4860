package io.onceflow.order.saga;

import static io.onceflow.sql.Column.bigints;
import static io.onceflow.sql.Column.names;
import static io.onceflow.sql.Column.texts;
import static io.onceflow.sql.Column.times;
import static io.onceflow.sql.Column.uuids;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.order.domain.Address;
import io.onceflow.order.domain.Item;
import io.onceflow.order.domain.Order;
import io.onceflow.order.domain.OrderStatus;
import io.onceflow.order.domain.Payment;
import io.onceflow.order.domain.Shipment;
import io.onceflow.sql.Column.JsonColumn;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
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

  private final JsonColumn<List<Item>> items;
  private final JsonColumn<Address> address;

  OrderTable(ObjectMapper json) {
    items = new JsonColumn<>("orders.items", json, new TypeReference<>() {});
    address = new JsonColumn<>("orders.shipping_address", json, new TypeReference<>() {});
  }

  void insert(Connection connection, Collection<Order> orders) throws SQLException {
    Sql.update(
        connection,
        INSERT,
        uuids(orders, Order::id),
        texts(orders, Order::customer),
        texts(orders, Order::currency),
        bigints(orders, Order::totalAmount),
        texts(orders, order -> items.write(order.items())),
        texts(orders, Order::paymentMethod),
        texts(orders, order -> address.write(order.shippingAddress())),
        times(orders, Order::createdAt));
  }

  /** Locks and reads orders; those that do not exist are left out. */
  List<Order> load(Connection connection, Set<UUID> ids) throws SQLException {
    return Sql.query(connection, LOAD, this::read, uuids(ids));
  }

  void update(Connection connection, Collection<Order> orders) throws SQLException {
    Sql.update(
        connection,
        UPDATE,
        uuids(orders, Order::id),
        names(orders, Order::status),
        texts(orders, Order::cancellationReason),
        uuids(orders, order -> of(order.payment(), Payment::id)),
        names(orders, order -> of(order.payment(), Payment::status)),
        texts(orders, order -> of(order.payment(), Payment::gatewayReference)),
        uuids(orders, order -> of(order.shipment(), Shipment::id)),
        names(orders, order -> of(order.shipment(), Shipment::status)),
        texts(orders, order -> of(order.shipment(), Shipment::trackingNumber)));
  }

  private Order read(Row row) throws SQLException {
    return new Order(
        row.uuid("id"),
        row.text("customer"),
        row.text("currency"),
        items.read(row.text("items")),
        row.text("payment_method"),
        address.read(row.text("shipping_address")),
        row.constant("status", OrderStatus.class),
        row.text("cancellation_reason"),
        payment(row),
        shipment(row),
        row.time("created_at"));
  }

  private static @Nullable Payment payment(Row row) throws SQLException {
    Payment.Status status = row.constant("payment_status", Payment.Status.class);
    return status == null
        ? null
        : new Payment(row.uuid("payment_id"), status, row.text("gateway_reference"));
  }

  private static @Nullable Shipment shipment(Row row) throws SQLException {
    Shipment.Status status = row.constant("shipment_status", Shipment.Status.class);
    return status == null
        ? null
        : new Shipment(row.uuid("shipment_id"), status, row.text("tracking_number"));
  }

  private static <T, R> @Nullable R of(@Nullable T part, Function<T, @Nullable R> column) {
    return Optional.ofNullable(part).map(column).orElse(null);
  }
}
