package io.onceflow.payment.gateway;

import io.onceflow.payment.domain.ChargeKey;
import io.onceflow.payment.domain.PaymentGateway.Annulled;
import io.onceflow.payment.domain.ProcessPayment;
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
 * The simulated gateway's books. Each statement is a transaction of its own: what the service
 * commits or rolls back is nothing to a foreign system.
 */
@ApplicationScoped
class GatewayLedger {

  private static final String CHARGED =
      """
      SELECT kind, reference
      FROM   simulated_gateway.ledger
      WHERE  customer = ?
      AND    idempotency_key = ?
      AND    (   kind = 'VOID'
              OR kind = 'CHARGE' AND (order_id, amount, currency) = (?, ?, ?))
      """;

  private static final String MAKE_VOID =
      """
      INSERT INTO simulated_gateway.ledger
             (customer, idempotency_key, kind, reference, order_id, amount, currency)
      VALUES (?, ?, 'VOID', '', ?, 0, '')
      ON CONFLICT (customer, idempotency_key) DO NOTHING
      """;

  private static final String WHAT_STANDS =
      """
      SELECT kind, reference, amount, currency
      FROM   simulated_gateway.ledger
      WHERE  customer = ?
      AND    idempotency_key = ?
      """;

  private static final String REFUND =
      """
      INSERT INTO simulated_gateway.ledger
             (customer, idempotency_key, kind, reference, order_id, amount, currency)
      SELECT ?, ?, 'REFUND', charge.reference, charge.order_id, ?, charge.currency
      FROM   simulated_gateway.ledger charge
      WHERE  charge.kind = 'CHARGE'
      AND    charge.reference = ?
      ON CONFLICT (customer, idempotency_key) DO NOTHING
      """;

  private static final String REFUNDED =
      """
      SELECT reference
      FROM   simulated_gateway.ledger
      WHERE  customer = ?
      AND    idempotency_key = ?
      AND    kind = 'REFUND'
      AND    (amount, reference) = (?, ?)
      """;

  private static final String COUNT_ATTEMPT =
      """
      INSERT INTO simulated_gateway.attempt AS a (customer, idempotency_key, attempts)
      VALUES (?, ?, 1)
      ON CONFLICT (customer, idempotency_key) DO UPDATE SET attempts = a.attempts + 1
      RETURNING attempts
      """;

  private static final String OF_ORDER =
      """
      SELECT   idempotency_key, kind, amount, at
      FROM     simulated_gateway.ledger
      WHERE    order_id = ?
      AND      kind <> 'VOID'          -- moved no money
      ORDER BY id
      """;

  private final DataSource database;
  private final ChargeBook charges;

  GatewayLedger(DataSource database) {
    this.database = database;
    this.charges = new ChargeBook(database);
  }

  /**
   * Makes a charge void unless it is booked.
   *
   * @return the charge that is booked; empty when there is none and never will be
   */
  Optional<Annulled> makeVoid(ChargeKey key, UUID orderId) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement makeVoid = new Statement(MAKE_VOID, key, orderId).on(connection);
        PreparedStatement find = new Statement(WHAT_STANDS, key).on(connection)) {
      makeVoid.executeUpdate();
      try (ResultSet row = find.executeQuery()) {
        return row.next() && row.getString(1).equals("CHARGE")
            ? Optional.of(new Annulled(row.getString(2), row.getLong(3), row.getString(4)))
            : Optional.empty();
      }
    }
  }

  /**
   * Books a charge, or finds it booked.
   *
   * @return its reference; empty when it was made void, and so is never booked
   * @throws KeyReused when the key was used for something else
   */
  Optional<String> charge(ChargeKey key, ProcessPayment command, String reference)
      throws SQLException, InterruptedException {
    return charges.book(new ChargeEntry(key, command, reference))
        ? Optional.of(reference)
        : charged(key, command);
  }

  private Optional<String> charged(ChargeKey key, ProcessPayment command) throws SQLException {
    Statement ours =
        new Statement(CHARGED, key, command.orderId(), command.amount(), command.currency());
    try (Connection connection = database.getConnection();
        PreparedStatement find = ours.on(connection);
        ResultSet row = find.executeQuery()) {
      if (!row.next()) {
        throw new KeyReused(key);
      }
      return row.getString(1).equals("VOID") ? Optional.empty() : Optional.of(row.getString(2));
    }
  }

  /**
   * Books a refund, or finds it booked.
   *
   * @throws KeyReused when the key was used for something else, or there is no such charge
   */
  void refund(ChargeKey key, String charge, long amount) throws SQLException {
    book(
        key,
        new Statement(REFUND, key, amount, charge),
        new Statement(REFUNDED, key, amount, charge));
  }

  /** How often this key has been asked for, this time included. */
  int countAttempt(ChargeKey key) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement count = new Statement(COUNT_ATTEMPT, key).on(connection);
        ResultSet row = count.executeQuery()) {
      row.next();
      return row.getInt(1);
    }
  }

  /** What an order has cost and brought, oldest first. */
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
                  rows.getLong(3),
                  rows.getObject(4, OffsetDateTime.class).toInstant()));
        }
        return entries;
      }
    }
  }

  private String book(ChargeKey key, Statement insert, Statement find) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement book = insert.on(connection);
        PreparedStatement booked = find.on(connection)) {
      book.executeUpdate();
      try (ResultSet row = booked.executeQuery()) {
        if (!row.next()) {
          throw new KeyReused(key);
        }
        return row.getString(1);
      }
    }
  }

  /** A statement whose first two parameters are the key. */
  private record Statement(String sql, ChargeKey key, Object... rest) {

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
