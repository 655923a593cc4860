package io.onceflow.shipping;

import io.onceflow.core.StepKey;
import io.onceflow.inbox.ParticipantRepository;
import io.onceflow.shipping.domain.BookingKey;
import io.onceflow.shipping.domain.RejectReason;
import io.onceflow.shipping.domain.Shipment;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The SQL of {@code shipment}; both statements take one row or many. */
@Singleton
class ShipmentTable implements ParticipantRepository<Shipment> {

  private static final String LOAD =
      """
      SELECT id, order_id, return_id, scope, step_key, status,
             reject_reason, tracking_number, arranged_at, cancelled_at
      FROM   shipment
      WHERE  coalesce(return_id, order_id) = ANY (?::uuid[])
      ORDER  BY arranged_at
      """;

  /** Of a shipment that exists only its end is news. */
  private static final String SAVE =
      """
      INSERT INTO shipment
             (id, order_id, return_id, scope, step_key, status,
              reject_reason, tracking_number, arranged_at, cancelled_at)
      SELECT id, order_id, return_id, scope, step_key, status,
             reject_reason, tracking_number, arranged_at, cancelled_at
      FROM   unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[],
                    ?::text[], ?::text[], ?::timestamptz[], ?::timestamptz[])
             AS new (id, order_id, return_id, scope, step_key, status,
                     reject_reason, tracking_number, arranged_at, cancelled_at)
      ORDER  BY coalesce(return_id, order_id) -- the same order everywhere: no two batches deadlock
      ON CONFLICT (coalesce(return_id, order_id), scope, step_key) DO UPDATE
      SET    status = excluded.status, cancelled_at = excluded.cancelled_at
      WHERE  shipment.id = excluded.id -- another shipment of the step is not this one's successor
      """;

  @Override
  public Map<UUID, List<Shipment>> load(Connection connection, Set<UUID> subjects)
      throws SQLException {
    Map<UUID, List<Shipment>> found = new HashMap<>();
    try (PreparedStatement load = connection.prepareStatement(LOAD)) {
      load.setArray(1, connection.createArrayOf("uuid", subjects.toArray()));
      try (ResultSet rows = load.executeQuery()) {
        while (rows.next()) {
          Shipment shipment = read(rows);
          found.computeIfAbsent(shipment.subject(), id -> new ArrayList<>()).add(shipment);
        }
      }
    }
    return found;
  }

  /**
   * Inserts or updates.
   *
   * @throws IllegalStateException when a step has a shipment already that is not this one; the
   *     booking behind this one then shows in the carrier's books alone, and the log says so
   */
  @Override
  public void save(Connection connection, Collection<Shipment> shipments) throws SQLException {
    Collection<Shipment> latest = latestOfEach(shipments);
    try (PreparedStatement save = connection.prepareStatement(SAVE)) {
      Columns columns = new Columns(connection, save, latest);
      columns.set("uuid", Shipment::id);
      columns.set("uuid", Shipment::orderId);
      columns.set("uuid", Shipment::returnId);
      columns.set("text", shipment -> shipment.key().scope());
      columns.set("text", shipment -> shipment.key().step().toString());
      columns.set("text", shipment -> shipment.status().name());
      columns.set("text", Shipment::rejectReason);
      columns.set("text", Shipment::trackingNumber);
      columns.set("timestamptz", Shipment::arrangedAt);
      columns.set("timestamptz", Shipment::cancelledAt);
      if (save.executeUpdate() < latest.size()) {
        throw new IllegalStateException(
            "one of the steps of these orders or returns has another shipment already: "
                + latest.stream().map(Shipment::subject).toList());
      }
    }
  }

  @Override
  public boolean wasWrittenBy(Shipment shipment, String scope, StepKey step) {
    return shipment.key().equals(new BookingKey(scope, step));
  }

  /** One statement may touch a row once (SQLSTATE 21000). */
  private static Collection<Shipment> latestOfEach(Collection<Shipment> shipments) {
    Map<UUID, Shipment> latest = new LinkedHashMap<>();
    shipments.forEach(shipment -> latest.put(shipment.id(), shipment));
    return latest.values();
  }

  private static Shipment read(ResultSet row) throws SQLException {
    String rejectReason = row.getString("reject_reason");
    return new Shipment(
        row.getObject("id", UUID.class),
        row.getObject("order_id", UUID.class),
        row.getObject("return_id", UUID.class),
        new BookingKey(row.getString("scope"), StepKey.parse(row.getString("step_key"))),
        Shipment.Status.valueOf(row.getString("status")),
        rejectReason == null ? null : RejectReason.valueOf(rejectReason),
        row.getString("tracking_number"),
        row.getObject("arranged_at", OffsetDateTime.class).toInstant(),
        instant(row.getObject("cancelled_at", OffsetDateTime.class)));
  }

  private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
    return time == null ? null : time.toInstant();
  }

  /** Sets a statement's array parameters, column by column. */
  private static final class Columns {

    private final Connection connection;
    private final PreparedStatement statement;
    private final Collection<Shipment> rows;
    private int next = 1;

    private Columns(Connection connection, PreparedStatement statement, Collection<Shipment> rows) {
      this.connection = connection;
      this.statement = statement;
      this.rows = rows;
    }

    private void set(String type, Function<Shipment, @Nullable Object> column) throws SQLException {
      Object[] values = rows.stream().map(column).toArray();
      statement.setArray(next++, connection.createArrayOf(type, values));
    }
  }
}
