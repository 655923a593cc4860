package io.onceflow.payment;

import io.onceflow.core.StepKey;
import io.onceflow.inbox.ParticipantRepository;
import io.onceflow.payment.domain.ChargeKey;
import io.onceflow.payment.domain.DeclineReason;
import io.onceflow.payment.domain.Payment;
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

/** The SQL of {@code payment}; both statements take one row or many. */
@Singleton
class PaymentTable implements ParticipantRepository<Payment> {

  private static final String LOAD =
      """
      SELECT id, order_id, scope, step_key, status, amount, currency,
             decline_reason, gateway_reference, processed_at, refunded_at
      FROM   payment
      WHERE  order_id = ANY (?::uuid[])
      ORDER  BY processed_at
      """;

  /** Of a payment that exists only its end is news. */
  private static final String SAVE =
      """
      INSERT INTO payment
             (id, order_id, scope, step_key, status, amount, currency,
              decline_reason, gateway_reference, processed_at, refunded_at)
      SELECT id, order_id, scope, step_key, status, amount, currency,
             decline_reason, gateway_reference, processed_at, refunded_at
      FROM   unnest(?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::text[],
                    ?::text[], ?::text[], ?::timestamptz[], ?::timestamptz[])
             AS new (id, order_id, scope, step_key, status, amount, currency,
                     decline_reason, gateway_reference, processed_at, refunded_at)
      ORDER  BY order_id              -- the same order everywhere: two batches cannot deadlock
      ON CONFLICT (order_id, scope, step_key) DO UPDATE
      SET    status = excluded.status, refunded_at = excluded.refunded_at
      WHERE  payment.id = excluded.id -- another payment of the step is not this one's successor
      """;

  @Override
  public Map<UUID, List<Payment>> load(Connection connection, Set<UUID> orders)
      throws SQLException {
    Map<UUID, List<Payment>> found = new HashMap<>();
    try (PreparedStatement load = connection.prepareStatement(LOAD)) {
      load.setArray(1, connection.createArrayOf("uuid", orders.toArray()));
      try (ResultSet rows = load.executeQuery()) {
        while (rows.next()) {
          Payment payment = read(rows);
          found.computeIfAbsent(payment.orderId(), id -> new ArrayList<>()).add(payment);
        }
      }
    }
    return found;
  }

  /**
   * Inserts or updates.
   *
   * @throws IllegalStateException when a step has a payment already that is not this one; the
   *     charge behind this one then shows in the gateway's books alone, and the log says so
   */
  @Override
  public void save(Connection connection, Collection<Payment> payments) throws SQLException {
    Collection<Payment> latest = latestOfEach(payments);
    try (PreparedStatement save = connection.prepareStatement(SAVE)) {
      Columns columns = new Columns(connection, save, latest);
      columns.set("uuid", Payment::id);
      columns.set("uuid", Payment::orderId);
      columns.set("text", payment -> payment.key().scope());
      columns.set("text", payment -> payment.key().step().toString());
      columns.set("text", payment -> payment.status().name());
      columns.set("bigint", Payment::amount);
      columns.set("text", Payment::currency);
      columns.set("text", Payment::declineReason);
      columns.set("text", Payment::gatewayReference);
      columns.set("timestamptz", Payment::processedAt);
      columns.set("timestamptz", Payment::refundedAt);
      if (save.executeUpdate() < latest.size()) {
        throw new IllegalStateException(
            "one of the steps of these orders has another payment already: "
                + latest.stream().map(Payment::orderId).toList());
      }
    }
  }

  @Override
  public boolean wasWrittenBy(Payment payment, String scope, StepKey step) {
    return payment.key().equals(new ChargeKey(scope, step));
  }

  /** One statement may touch a row once (SQLSTATE 21000). */
  private static Collection<Payment> latestOfEach(Collection<Payment> payments) {
    Map<UUID, Payment> latest = new LinkedHashMap<>();
    payments.forEach(payment -> latest.put(payment.id(), payment));
    return latest.values();
  }

  private static Payment read(ResultSet row) throws SQLException {
    String declineReason = row.getString("decline_reason");
    return new Payment(
        row.getObject("id", UUID.class),
        row.getObject("order_id", UUID.class),
        new ChargeKey(row.getString("scope"), StepKey.parse(row.getString("step_key"))),
        Payment.Status.valueOf(row.getString("status")),
        row.getLong("amount"),
        row.getString("currency"),
        declineReason == null ? null : DeclineReason.valueOf(declineReason),
        row.getString("gateway_reference"),
        row.getObject("processed_at", OffsetDateTime.class).toInstant(),
        instant(row.getObject("refunded_at", OffsetDateTime.class)));
  }

  private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
    return time == null ? null : time.toInstant();
  }

  /** Sets a statement's array parameters, column by column. */
  private static final class Columns {

    private final Connection connection;
    private final PreparedStatement statement;
    private final Collection<Payment> rows;
    private int next = 1;

    private Columns(Connection connection, PreparedStatement statement, Collection<Payment> rows) {
      this.connection = connection;
      this.statement = statement;
      this.rows = rows;
    }

    private void set(String type, Function<Payment, @Nullable Object> column) throws SQLException {
      Object[] values = rows.stream().map(column).toArray();
      statement.setArray(next++, connection.createArrayOf(type, values));
    }
  }
}
