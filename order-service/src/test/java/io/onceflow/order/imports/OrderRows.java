package io.onceflow.order.imports;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** What the database holds of a customer, looked at and changed behind the service's back. */
record OrderRows(DataSource database, String customer) {

  /** The one number that a query comes to whose one parameter is the customer. */
  long count(String query) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement count = connection.prepareStatement("SELECT count(*) FROM " + query)) {
      count.setString(1, customer);
      try (ResultSet row = count.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  long orders() throws SQLException {
    return count("orders WHERE customer = ?");
  }

  long sagas() throws SQLException {
    return count("saga_instance WHERE scope = ?");
  }

  /** Each order takes one command to its first step. */
  long commandsSent() throws SQLException {
    return count(
        """
        saga_step step
        JOIN saga_instance saga ON saga.id = step.saga_id
        WHERE saga.scope = ?
        AND step.name = 'process-payment'
        """);
  }

  /** What the orders of the customer's imports cost, in the order in which they were sent. */
  List<Long> importedAmounts() throws SQLException {
    String amounts =
        """
        SELECT   o.total_amount
        FROM     order_import i
        JOIN     order_import_line line ON line.import_id = i.id
        JOIN     orders o ON o.id = line.order_id
        WHERE    i.customer = ?
        ORDER BY i.id, line.position
        """;
    List<Long> found = new ArrayList<>();
    try (Connection connection = database.getConnection();
        PreparedStatement query = connection.prepareStatement(amounts)) {
      query.setString(1, customer);
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          found.add(row.getLong(1));
        }
      }
    }
    return found;
  }

  long keys() throws SQLException {
    return count("idempotency_record WHERE scope = ?");
  }

  /** Changes rows by a statement whose one parameter is the customer; returns how many. */
  int change(String statement) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement change = connection.prepareStatement(statement)) {
      change.setString(1, customer);
      return change.executeUpdate();
    }
  }

  /** The owner of the customer's one claim was not heard of for an hour. */
  int endLease() throws SQLException {
    return change(
        """
        UPDATE idempotency_record
        SET    lease_expires_at = now() - interval '1 hour'
        WHERE  scope = ?
        AND    status = 'STARTED'
        """);
  }

  /** Nobody waits any longer for what the customer's sagas asked. */
  void forgetSagas() throws SQLException {
    change("DELETE FROM saga_instance WHERE scope = ?");
    change(
        """
        DELETE FROM outbox_message
        WHERE  aggregateid IN (SELECT id::text FROM orders WHERE customer = ?)
        """);
  }
}
