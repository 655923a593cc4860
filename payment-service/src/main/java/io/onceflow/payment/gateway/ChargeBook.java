package io.onceflow.payment.gateway;

import io.onceflow.batch.RequestBatcher;
import io.onceflow.payment.domain.ChargeKey;
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
 * Books charges that come in at the same time in one statement and one commit, as any busy gateway
 * would. That commit is the gateway's own: the service's transactions are nothing to it.
 */
final class ChargeBook {

  /** More than can be under way at once. */
  private static final int MOST_AT_ONCE = 256;

  private static final String BOOK =
      """
      INSERT INTO simulated_gateway.ledger
             (customer, idempotency_key, kind, reference, order_id, amount, currency)
      SELECT customer, idempotency_key, 'CHARGE', reference, order_id, amount, currency
      FROM   unnest(?::text[], ?::text[], ?::text[], ?::uuid[], ?::bigint[], ?::text[])
             AS new (customer, idempotency_key, reference, order_id, amount, currency)
      ORDER  BY customer, idempotency_key      -- the same order everywhere: no deadlock
      ON CONFLICT (customer, idempotency_key) DO NOTHING
      RETURNING reference
      """;

  private final DataSource database;
  private final RequestBatcher<ChargeEntry, Boolean> charges =
      new RequestBatcher<>(MOST_AT_ONCE, this::book);

  ChargeBook(DataSource database) {
    this.database = database;
  }

  /**
   * Books a charge.
   *
   * @return false when its key has an entry already; that one stands
   */
  boolean book(ChargeEntry charge) throws SQLException, InterruptedException {
    try {
      return charges.submit(charge);
    } catch (SQLException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private List<Boolean> book(List<ChargeEntry> charges) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement book = connection.prepareStatement(BOOK)) {
      book.setArray(1, array(connection, "text", charges, it -> it.key().scope()));
      book.setArray(2, array(connection, "text", charges, it -> step(it.key())));
      book.setArray(3, array(connection, "text", charges, ChargeEntry::reference));
      book.setArray(4, array(connection, "uuid", charges, it -> it.command().orderId()));
      book.setArray(5, array(connection, "bigint", charges, it -> it.command().amount()));
      book.setArray(6, array(connection, "text", charges, it -> it.command().currency()));
      Set<String> booked = references(book);
      return charges.stream().map(it -> booked.contains(it.reference())).toList();
    }
  }

  private static String step(ChargeKey key) {
    return key.step().toString();
  }

  private static Set<String> references(PreparedStatement book) throws SQLException {
    try (ResultSet rows = book.executeQuery()) {
      Set<String> references = new HashSet<>();
      while (rows.next()) {
        references.add(rows.getString(1));
      }
      return references;
    }
  }

  private static Array array(
      Connection connection,
      String type,
      List<ChargeEntry> charges,
      Function<ChargeEntry, Object> column)
      throws SQLException {
    return connection.createArrayOf(type, charges.stream().map(column).toArray());
  }
}
