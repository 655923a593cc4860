package io.onceflow.benchmarks.saga.load;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Looks up the outcome of orders in the three databases. The ids of orders start with the time
 * (UUIDv7), which distinguishes the orders of a run from older ones.
 *
 * <p>An order's confirmation is dated by PostgreSQL's own note of when the transaction was
 * committed ({@code track_commit_timestamp}). It is taken just before the commit's flush to disk.
 */
public final class OrderBooks implements AutoCloseable {

  /** While orders are being confirmed, looking shall cost little. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  private static final String CONFIRMED_AT =
      "(extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000000)::bigint";

  private final Connection orders;
  private final Connection payments;
  private final Connection shipping;

  /** Over connections of the superuser, which are closed with it. */
  public OrderBooks(Connection orders, Connection payments, Connection shipping) {
    this.orders = orders;
    this.payments = payments;
    this.shipping = shipping;
  }

  /** Below every order's id from now on, and above all that came before. */
  public static UUID now() {
    long version7 = 0x7000;
    long variant = Long.MIN_VALUE;
    return new UUID(Instant.now().toEpochMilli() << 16 | version7, variant);
  }

  /**
   * Waits until all orders have ended and the outboxes are empty, or that takes too long.
   *
   * @param since of {@link #now}, before the run
   */
  public Outcome awaitEnd(UUID since, Duration atMost) throws SQLException, InterruptedException {
    long giveUpAt = System.nanoTime() + atMost.toNanos();
    OldestLeft pending = new OldestLeft(orders, "orders WHERE status = 'PENDING'", since);
    while ((pending.isThere() || waiting(since) > 0) && System.nanoTime() - giveUpAt < 0) {
      Thread.sleep(LOOK_EVERY);
    }
    return outcome(since);
  }

  private Outcome outcome(UUID since) throws SQLException {
    return new Outcome(
        count(orders, "SELECT count(*) FROM orders WHERE id >= ?", since),
        count(orders, "SELECT count(*) FROM orders WHERE id >= ? AND status = 'CONFIRMED'", since),
        count(
            payments,
            "SELECT count(*) FROM payment WHERE order_id >= ? AND status = 'PROCESSED'",
            since),
        count(
            shipping,
            "SELECT count(*) FROM shipment WHERE order_id >= ? AND status = 'ARRANGED'",
            since),
        count(orders, "SELECT count(*) FROM orders WHERE id >= ? AND status = 'CANCELLED'", since),
        count(
            payments,
            "SELECT count(*) FROM payment WHERE order_id >= ? AND status = 'REFUNDED'",
            since),
        waiting(since),
        count(
            orders,
            "SELECT coalesce(max(" + CONFIRMED_AT + "), 0) FROM orders WHERE id >= ?",
            since));
  }

  /** Of this run: what earlier ones have deleted is read, too, as long as a snapshot is held. */
  private long waiting(UUID since) throws SQLException {
    long waiting = 0;
    for (Connection database : new Connection[] {orders, payments, shipping}) {
      waiting += count(database, "SELECT count(*) FROM outbox_message WHERE id >= ?", since);
    }
    return waiting;
  }

  /** When each confirmed order was, in microseconds since the epoch. */
  public Map<UUID, Long> confirmedMicros(UUID since) throws SQLException {
    Map<UUID, Long> confirmed = new HashMap<>();
    try (PreparedStatement look =
        orders.prepareStatement(
            "SELECT id, " + CONFIRMED_AT + " FROM orders WHERE id >= ? AND status = 'CONFIRMED'")) {
      look.setObject(1, since);
      try (ResultSet rows = look.executeQuery()) {
        while (rows.next()) {
          confirmed.put(rows.getObject(1, UUID.class), rows.getLong(2));
        }
      }
    }
    return confirmed;
  }

  private static long count(Connection database, String query, UUID since) throws SQLException {
    try (PreparedStatement look = database.prepareStatement(query)) {
      look.setObject(1, since);
      try (ResultSet row = look.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  @Override
  public void close() throws SQLException {
    orders.close();
    payments.close();
    shipping.close();
  }
}
