package io.onceflow.shipping.carrier;

import io.onceflow.batch.RequestBatcher;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Writes down bookings that come in at the same time in one statement and one commit, as any busy
 * carrier would. That commit is the carrier's own: the service's transactions are nothing to it.
 */
final class BookingList {

  /** More than can be under way at once. */
  private static final int MOST_AT_ONCE = 256;

  private static final String BOOK =
      """
      INSERT INTO simulated_carrier.ledger
             (customer, idempotency_key, kind, order_id, tracking_number)
      SELECT customer, idempotency_key, 'BOOKING', order_id, tracking_number
      FROM   unnest(?::text[], ?::text[], ?::uuid[], ?::text[])
             AS new (customer, idempotency_key, order_id, tracking_number)
      ORDER  BY customer, idempotency_key      -- the same order everywhere: no deadlock
      ON CONFLICT (customer, idempotency_key) DO NOTHING
      RETURNING tracking_number
      """;

  private final DataSource database;
  private final RequestBatcher<BookingEntry, Boolean> bookings =
      new RequestBatcher<>(MOST_AT_ONCE, this::write);

  BookingList(DataSource database) {
    this.database = database;
  }

  /**
   * Writes a booking down.
   *
   * @return false when its key has an entry already; that one stands
   */
  boolean write(BookingEntry booking) throws SQLException, InterruptedException {
    try {
      return bookings.submit(booking);
    } catch (SQLException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private List<Boolean> write(List<BookingEntry> bookings) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement write = connection.prepareStatement(BOOK)) {
      write.setArray(1, array(connection, "text", bookings, it -> it.key().scope()));
      write.setArray(2, array(connection, "text", bookings, it -> it.key().step().toString()));
      write.setArray(3, array(connection, "uuid", bookings, BookingEntry::orderId));
      write.setArray(4, array(connection, "text", bookings, BookingEntry::trackingNumber));
      Set<String> written = trackingNumbers(write);
      return bookings.stream().map(it -> written.contains(it.trackingNumber())).toList();
    }
  }

  private static Set<String> trackingNumbers(PreparedStatement write) throws SQLException {
    try (ResultSet rows = write.executeQuery()) {
      Set<String> numbers = new HashSet<>();
      while (rows.next()) {
        numbers.add(rows.getString(1));
      }
      return numbers;
    }
  }

  private static Array array(
      Connection connection,
      String type,
      List<BookingEntry> bookings,
      Function<BookingEntry, Object> column)
      throws SQLException {
    return connection.createArrayOf(type, bookings.stream().map(column).toArray());
  }
}
