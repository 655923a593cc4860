package io.onceflow.simulated;

import io.onceflow.internal.batch.RequestBatcher;
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
 * Inserts rows that come in at the same time in one statement and one commit, as a busy gateway
 * would. That commit is the simulated system's own.
 */
final class LedgerBatches {

  /** Others that wait form the next batch. */
  private static final int LARGEST = 256;

  private static final String INSERT =
      """
      INSERT INTO {schema}.ledger
             (customer, idempotency_key, kind, order_id, {reference}{, amount, currency})
      SELECT customer, idempotency_key, kind, order_id, reference{, amount, currency}
      FROM   unnest(?::text[], ?::text[], ?::text[], ?::uuid[], ?::text[], ?::bigint[], ?::text[])
             AS new (customer, idempotency_key, kind, order_id, reference, amount, currency)
      ORDER  BY customer, idempotency_key      -- the same order everywhere: no deadlock
      ON CONFLICT (customer, idempotency_key) DO NOTHING
      RETURNING customer, idempotency_key, {reference}
      """;

  private final DataSource database;
  private final String insert;
  private final RequestBatcher<LedgerRow, Boolean> rows =
      new RequestBatcher<>(LARGEST, this::insert);

  LedgerBatches(DataSource database, LedgerNames names) {
    this.database = database;
    this.insert = names.in(INSERT);
  }

  /**
   * Inserts a row.
   *
   * @return false if its key has a row already, which stays as it is
   */
  boolean insert(LedgerRow row) throws SQLException, InterruptedException {
    try {
      return rows.submit(row);
    } catch (SQLException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private List<Boolean> insert(List<LedgerRow> rows) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(insert)) {
      Columns columns = new Columns(connection, statement, rows);
      columns.set(1, "text", row -> row.key().customer());
      columns.set(2, "text", row -> row.key().key());
      columns.set(3, "text", LedgerRow::kind);
      columns.set(4, "uuid", row -> row.effect().orderId());
      columns.set(5, "text", row -> row.effect().reference());
      columns.set(6, "bigint", row -> row.effect().amount());
      columns.set(7, "text", row -> row.effect().currency());
      Set<Inserted> inserted = inserted(statement);
      return rows.stream().map(row -> inserted.remove(Inserted.of(row))).toList();
    }
  }

  private static Set<Inserted> inserted(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      Set<Inserted> inserted = new HashSet<>();
      while (rows.next()) {
        inserted.add(
            new Inserted(new EffectKey(rows.getString(1), rows.getString(2)), rows.getString(3)));
      }
      return inserted;
    }
  }

  /** A batch may hold two rows of one key; only one of them was inserted. */
  private record Inserted(EffectKey key, String reference) {

    private static Inserted of(LedgerRow row) {
      return new Inserted(row.key(), row.effect().reference());
    }
  }

  private record Columns(Connection connection, PreparedStatement statement, List<LedgerRow> rows) {

    private void set(int index, String type, Function<LedgerRow, Object> column)
        throws SQLException {
      statement.setArray(
          index, connection.createArrayOf(type, rows.stream().map(column).toArray()));
    }
  }
}
