package io.onceflow.shipping.carrier;

import io.onceflow.shipping.domain.BookingKey;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The simulated carrier's books. Each statement is a transaction of its own: what the service
 * commits or rolls back is nothing to a foreign system.
 */
@ApplicationScoped
class CarrierLedger {

  private static final String BOOKED =
      """
      SELECT kind, tracking_number
      FROM   simulated_carrier.ledger
      WHERE  customer = ?
      AND    idempotency_key = ?
      AND    (kind = 'VOID' OR kind = 'BOOKING' AND order_id = ?)
      """;

  private static final String MAKE_VOID =
      """
      INSERT INTO simulated_carrier.ledger
             (customer, idempotency_key, kind, order_id, tracking_number)
      VALUES (?, ?, 'VOID', ?, '')
      ON CONFLICT (customer, idempotency_key) DO NOTHING
      """;

  private static final String WHAT_STANDS =
      """
      SELECT kind, tracking_number
      FROM   simulated_carrier.ledger
      WHERE  customer = ?
      AND    idempotency_key = ?
      """;

  private static final String CANCEL =
      """
      INSERT INTO simulated_carrier.ledger
             (customer, idempotency_key, kind, order_id, tracking_number)
      SELECT ?, ?, 'CANCELLATION', booking.order_id, booking.tracking_number
      FROM   simulated_carrier.ledger booking
      WHERE  booking.kind = 'BOOKING'
      AND    booking.order_id = ?
      AND    booking.tracking_number = ?
      ON CONFLICT (customer, idempotency_key) DO NOTHING
      """;

  private static final String CANCELLED =
      """
      SELECT tracking_number
      FROM   simulated_carrier.ledger
      WHERE  customer = ?
      AND    idempotency_key = ?
      AND    kind = 'CANCELLATION'
      AND    (order_id, tracking_number) = (?, ?)
      """;

  private static final String COUNT_ATTEMPT =
      """
      INSERT INTO simulated_carrier.attempt AS a (customer, idempotency_key, attempts)
      VALUES (?, ?, 1)
      ON CONFLICT (customer, idempotency_key) DO UPDATE SET attempts = a.attempts + 1
      RETURNING attempts
      """;

  private static final String OF_ORDER =
      """
      SELECT   idempotency_key, kind, at
      FROM     simulated_carrier.ledger
      WHERE    order_id = ?
      AND      kind <> 'VOID'          -- moved no parcel
      ORDER BY id
      """;

  private final DataSource database;
  private final BookingList bookings;

  CarrierLedger(DataSource database) {
    this.database = database;
    this.bookings = new BookingList(database);
  }

  /**
   * Makes a booking void unless it is written down.
   *
   * @return the tracking number of the booking that is; empty when there is none and never will be
   */
  Optional<String> makeVoid(BookingKey key, UUID orderId) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement makeVoid = new Statement(MAKE_VOID, key, orderId).on(connection);
        PreparedStatement find = new Statement(WHAT_STANDS, key).on(connection)) {
      makeVoid.executeUpdate();
      try (ResultSet row = find.executeQuery()) {
        return row.next() && row.getString(1).equals("BOOKING")
            ? Optional.of(row.getString(2))
            : Optional.empty();
      }
    }
  }

  /**
   * Writes a booking down, or finds it there.
   *
   * @return its tracking number; empty when it was made void, and so is never booked
   * @throws KeyReused when the key was used for something else
   */
  Optional<String> book(BookingKey key, UUID orderId, String trackingNumber)
      throws SQLException, InterruptedException {
    return bookings.write(new BookingEntry(key, orderId, trackingNumber))
        ? Optional.of(trackingNumber)
        : booked(key, orderId);
  }

  private Optional<String> booked(BookingKey key, UUID orderId) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement find = new Statement(BOOKED, key, orderId).on(connection);
        ResultSet row = find.executeQuery()) {
      if (!row.next()) {
        throw new KeyReused(key);
      }
      return row.getString(1).equals("VOID") ? Optional.empty() : Optional.of(row.getString(2));
    }
  }

  /**
   * Writes a cancellation down, or finds it there.
   *
   * @throws KeyReused when the key was used for something else, or there is no such booking
   */
  void cancel(BookingKey key, UUID orderId, String trackingNumber) throws SQLException {
    write(
        key,
        new Statement(CANCEL, key, orderId, trackingNumber),
        new Statement(CANCELLED, key, orderId, trackingNumber));
  }

  /** How often this key has been asked for, this time included. */
  int countAttempt(BookingKey key) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement count = new Statement(COUNT_ATTEMPT, key).on(connection);
        ResultSet row = count.executeQuery()) {
      row.next();
      return row.getInt(1);
    }
  }

  /** What was done for an order, oldest first. */
  List<LedgerEntry> ofOrder(UUID orderId) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(OF_ORDER)) {
      select.setObject(1, orderId);
      try (ResultSet rows = select.executeQuery()) {
        List<LedgerEntry> entries = new ArrayList<>();
        while (rows.next()) {
          entries.add(
              new LedgerEntry(
                  rows.getString(1),
                  LedgerEntry.Kind.valueOf(rows.getString(2)),
                  0,
                  rows.getObject(3, OffsetDateTime.class).toInstant()));
        }
        return entries;
      }
    }
  }

  private String write(BookingKey key, Statement insert, Statement find) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement write = insert.on(connection);
        PreparedStatement written = find.on(connection)) {
      write.executeUpdate();
      try (ResultSet row = written.executeQuery()) {
        if (!row.next()) {
          throw new KeyReused(key);
        }
        return row.getString(1);
      }
    }
  }

  /** A statement whose first two parameters are the key. */
  private record Statement(String sql, BookingKey key, Object... rest) {

    PreparedStatement on(Connection connection) throws SQLException {
      PreparedStatement statement = connection.prepareStatement(sql);
      statement.setString(1, key.scope());
      statement.setString(2, key.step().toString());
      for (int i = 0; i < rest.length; i++) {
        statement.setObject(i + 3, rest[i]);
      }
      return statement;
    }
  }
}
